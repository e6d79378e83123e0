import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Exemplar, MetricKind, MetricPoint, MetricSeries } from '../../../domain/metric.ts'
import { toSteps } from '../../../domain/metric-steps.ts'
import type {
  MetricHead,
  MetricPage,
  MetricQuery,
  SeriesQuery,
  SeriesResult,
  StoredSeries,
} from '../port/metrics.ts'
import { prepareRows, readRows } from './database.ts'
import { textSize } from './page-bytes.ts'
import { parseDistribution, parseExemplars } from './point-text.ts'
import { type At, encodeMetric, type MetricPosition } from './positions.ts'
import type { ReadLimits } from './read-limits.ts'
import {
  hasMetric,
  nextMetric,
  pointBefore,
  pointsBetween,
  seriesByNumber,
  seriesOfName,
  summaryOfMetric,
} from './statements/metrics.ts'

export interface MetricReads {
  metricPage(projectId: string, query: At<MetricPosition, MetricQuery>): MetricPage
  series(
    projectId: string,
    name: string,
    query: SeriesQuery,
  ): SeriesResult | 'too-many-points' | undefined
}

type MetricKeyRow = readonly [name: string, kind: MetricKind, unit: string]
type SummaryRow = readonly [description: string, seriesCount: number, lastSeenAt: string]

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
  const metricPage = openMetricPages(db, check)
  const known = prepareRows(db, hasMetric)
  const ofName = prepareRows(db, seriesOfName)
  const byNumber = prepareRows(db, seriesByNumber)
  const readPoints = openPoints(db)
  return {
    metricPage: (projectId, query) => inSnapshot(() => metricPage(projectId, query)),

    series: (projectId, name, query) =>
      inSnapshot(() => {
        if (known.get({ projectId, name }) === undefined) return undefined
        const numbers: (readonly [seriesNo: number])[] = readRows(ofName, {
          projectId,
          name,
          service: query.service ?? null,
          attributes: JSON.stringify(query.attributes),
          from: query.range.from,
          to: query.range.to,
          limit: limits.metricSeriesCounted.value,
        })
        const series: StoredSeries[] = []
        let remaining = query.maxPoints
        let bytes = 0
        for (const [seriesNo] of numbers.slice(0, query.maxSeries)) {
          check()
          const [row] = readRows<SeriesRow>(byNumber, { seriesNo })
          const points = readPoints(row!, query, remaining + 1)
          remaining -= points.length
          if (remaining < 0) return 'too-many-points'
          const found = toSeries(name, row!, points, query)
          bytes += textSize(row!) + sizeOfValues(found)
          if (series.length > 0 && bytes > limits.pageBytes.value) break
          series.push(found)
        }
        return { series, total: numbers.length }
      }),
  }
}

/** Of a step as JSON. */
const stepBytes = 200

function sizeOfValues({ steps, exemplars }: StoredSeries): number {
  return exemplars.reduce(
    (sum, { attributes }) => sum + stepBytes + attributes.length,
    steps.length * stepBytes,
  )
}

function openMetricPages(
  db: DatabaseSync,
  check: () => void,
): (projectId: string, query: At<MetricPosition, MetricQuery>) => MetricPage {
  const next = prepareRows(db, nextMetric)
  const summary = prepareRows(db, summaryOfMetric)
  const counted = limits.metricSeriesCounted.value
  return (projectId, { limit, after }) => {
    const metrics: MetricHead[] = []
    let position: Pick<MetricHead, 'name' | 'kind' | 'unit'> = after ?? firstMetric
    for (;;) {
      check()
      const [found] = readRows<MetricKeyRow>(next, { projectId, ...position })
      if (found === undefined) return { metrics, next: undefined }
      if (metrics.length === limit) return { metrics, next: encodeMetric(position) }
      const [name, kind, unit] = found
      position = { name, kind, unit }
      const [row] = readRows<SummaryRow>(summary, { projectId, ...position, limit: counted })
      const [description, seriesCount, lastSeenAt] = row!
      metrics.push({ ...position, description, seriesCount, lastSeenAt: BigInt(lastSeenAt) })
    }
  }
}

/** Sorts before every metric. */
const firstMetric = { name: '', kind: '' as MetricKind, unit: '' }

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
