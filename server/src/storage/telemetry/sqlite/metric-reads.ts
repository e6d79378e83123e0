import type { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Exemplar, MetricKind, MetricPoint, MetricSeries } from '../../../domain/metric.ts'
import { toSteps } from '../../../domain/metric-steps.ts'
import { textSize } from '../page-bytes.ts'
import { parseDistribution, parseExemplars } from '../point-text.ts'
import type {
  MetricHead,
  MetricPage,
  MetricQuery,
  SeriesQuery,
  SeriesResult,
  StoredSeries,
} from '../port/metrics.ts'
import { type At, encodeMetric, type MetricPosition } from '../positions.ts'
import { iterateRows, prepareRows, readRows } from './database.ts'
import type { ReadLimits } from './read-limits.ts'
import {
  exemplarsBetween,
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
  const iteratePoints = openPoints(db, check)
  const newestExemplars = openExemplars(db, check)
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
        const budget = { points: query.maxPoints }
        let bytes = 0
        for (const [seriesNo] of numbers.slice(0, query.maxSeries)) {
          check()
          const [row] = readRows<SeriesRow>(byNumber, { seriesNo })
          const points = iteratePoints(row!, query, budget)
          const aggregated = toSeries(name, row!, points, query)
          if (budget.points < 0) return 'too-many-points'
          const found = { ...aggregated, exemplars: newestExemplars(seriesNo, query) }
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

type ReadPoint = Omit<MetricPoint, 'exemplars'>

/** How many points the read may still examine; negative when there were more. */
interface PointBudget {
  points: number
}

/** One at a time, because points can be large. */
function openPoints(
  db: DatabaseSync,
  check: () => void,
): (row: SeriesRow, query: SeriesQuery, budget: PointBudget) => Generator<ReadPoint, void> {
  const before = prepareRows(db, pointBefore)
  const between = prepareRows(db, pointsBetween)
  return function* ([seriesNo, , kind], { range: { from, to } }, budget) {
    for (const [statement, bindings] of [
      [before, { seriesNo, from }],
      [between, { seriesNo, from, to }],
    ] as const) {
      for (const row of iterateRows<PointRow>(statement, bindings)) {
        check()
        if (--budget.points < 0) return
        yield toPoint(kind, row)
      }
    }
  }
}

function toPoint(kind: MetricKind, row: PointRow): ReadPoint {
  const [at, startedAt, value, distribution] = row
  return {
    at: BigInt(at),
    startedAt: startedAt === null ? null : BigInt(startedAt),
    value,
    distribution: distribution === null ? null : parseDistribution(kind, distribution),
  }
}

function toSeries(
  name: string,
  row: SeriesRow,
  points: Iterable<ReadPoint>,
  { range }: SeriesQuery,
): Omit<StoredSeries, 'exemplars'> {
  const [, id, kind, unit, description, temporality, monotonic, attributes, ...resourceScope] = row
  const [service, resource, scope] = resourceScope
  const isMonotonic = monotonic === 1
  return {
    ...{ id, name, kind, unit, description, temporality, isMonotonic, attributes },
    ...{ service, resource, scope },
    steps: toSteps({ kind, temporality, isMonotonic }, points, range),
  }
}

function openExemplars(
  db: DatabaseSync,
  check: () => void,
): (seriesNo: number, query: SeriesQuery) => Exemplar[] {
  const between = prepareRows(db, exemplarsBetween)
  return (seriesNo, { range: { from, to }, maxExemplars }) => {
    const found: Exemplar[] = []
    for (const [text] of iterateRows<readonly [string]>(between, { seriesNo, from, to })) {
      check()
      found.push(
        ...parseExemplars(text)
          .slice(found.length - maxExemplars)
          .toReversed(),
      )
      if (found.length >= maxExemplars) break
    }
    return found
  }
}
