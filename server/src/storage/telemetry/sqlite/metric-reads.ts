import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Exemplar, MetricKind, MetricPoint, MetricSeries } from '../../../domain/metric.ts'
import { toSteps } from '../../../domain/metric-steps.ts'
import type {
  MetricPage,
  MetricQuery,
  SeriesQuery,
  SeriesResult,
  StoredSeries,
} from '../port/metrics.ts'
import { prepareRows, readRows } from './database.ts'
import { parseDistribution, parseExemplars } from './point-text.ts'
import { type At, encodeMetric, type MetricPosition } from './positions.ts'
import type { ReadLimits } from './read-limits.ts'
import {
  hasMetric,
  pageOfMetrics,
  pointBefore,
  pointsBetween,
  seriesOfName,
} from './statements/metrics.ts'

export interface MetricReads {
  metricPage(projectId: string, query: At<MetricPosition, MetricQuery>): MetricPage
  series(
    projectId: string,
    name: string,
    query: SeriesQuery,
  ): SeriesResult | 'too-many-points' | undefined
}

type MetricRow = readonly [string, MetricKind, string, string, number, string]

type SeriesRow = readonly [
  seriesNo: number,
  id: string,
  kind: MetricKind,
  unit: string,
  description: string,
  temporality: MetricSeries['temporality'],
  isMonotonic: 0 | 1,
  attributes: JsonText,
  service: string | null,
  resource: JsonText,
  scope: JsonText,
]

type PointRow = readonly [
  at: string,
  startedAt: string | null,
  value: number | null,
  distribution: string | null,
  exemplars: string | null,
]

export function openMetricReads(
  db: DatabaseSync,
  { check }: ReadLimits,
  inSnapshot: <T>(read: () => T) => T,
): MetricReads {
  const page = prepareRows(db, pageOfMetrics)
  const known = prepareRows(db, hasMetric)
  const ofName = prepareRows(db, seriesOfName)
  const readPoints = openPoints(db)
  return {
    metricPage(projectId, { limit, after }) {
      const rows: MetricRow[] = readRows(page, {
        projectId,
        afterName: after?.name ?? '',
        afterKind: after?.kind ?? '',
        afterUnit: after?.unit ?? '',
        limit: limit + 1,
      })
      const metrics = rows
        .slice(0, limit)
        .map(([name, kind, unit, description, seriesCount, lastSeenAt]) => {
          return { name, kind, unit, description, seriesCount, lastSeenAt: BigInt(lastSeenAt) }
        })
      const last = rows.length > limit ? metrics.at(-1) : undefined
      return { metrics, next: last && encodeMetric(last) }
    },

    series: (projectId, name, query) =>
      inSnapshot(() => {
        if (known.get({ projectId, name }) === undefined) return undefined
        const rows: SeriesRow[] = readRows(ofName, {
          projectId,
          name,
          service: query.service ?? null,
          attributes: JSON.stringify(query.attributes),
          from: query.range.from,
          to: query.range.to,
        })
        const series: StoredSeries[] = []
        let remaining = query.maxPoints
        for (const row of rows.slice(0, query.maxSeries)) {
          check()
          const points = readPoints(row, query, remaining + 1)
          remaining -= points.length
          if (remaining < 0) return 'too-many-points'
          series.push(toSeries(name, row, points, query))
        }
        return { series, total: rows.length }
      }),
  }
}

interface ReadPoint extends Omit<MetricPoint, 'exemplars'> {
  /** Read only for the series that are returned. */
  readonly exemplars: string | null
}

function openPoints(
  db: DatabaseSync,
): (row: SeriesRow, query: SeriesQuery, limit: number) => ReadPoint[] {
  const before: StatementSync = prepareRows(db, pointBefore)
  const between = prepareRows(db, pointsBetween)
  return ([seriesNo, , kind], { range: { from, to } }, limit) => {
    const earlier = before.all(seriesNo, from)
    const rows = [...earlier, ...between.all(seriesNo, from, to, limit)]
    return (rows as unknown as PointRow[]).map((row) => toPoint(kind, row))
  }
}

function toPoint(kind: MetricKind, row: PointRow): ReadPoint {
  const [at, startedAt, value, distribution, exemplars] = row
  return {
    at: BigInt(at),
    startedAt: startedAt === null ? null : BigInt(startedAt),
    value,
    distribution: distribution === null ? null : parseDistribution(kind, distribution),
    exemplars,
  }
}

function toSeries(
  name: string,
  row: SeriesRow,
  points: readonly ReadPoint[],
  { range, maxExemplars }: SeriesQuery,
): StoredSeries {
  const [, id, kind, unit, description, temporality, monotonic, attributes, ...resourceScope] = row
  const [service, resource, scope] = resourceScope
  const isMonotonic = monotonic === 1
  return {
    ...{ id, name, kind, unit, description, temporality, isMonotonic, attributes },
    ...{ service, resource, scope },
    steps: toSteps({ kind, temporality, isMonotonic }, points, range),
    exemplars: newestExemplars(
      points.filter(({ at }) => at >= range.from),
      maxExemplars,
    ),
  }
}

function newestExemplars(points: readonly ReadPoint[], limit: number): Exemplar[] {
  const found: Exemplar[] = []
  for (const { exemplars } of points.toReversed()) {
    if (found.length >= limit) break
    if (exemplars !== null) found.push(...parseExemplars(exemplars).toReversed())
  }
  return found.slice(0, limit)
}
