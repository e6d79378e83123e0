import { limits } from '@assay/contract/limits.ts'
import type { Exemplar, MetricKind, MetricPoint } from '../../../domain/metric.ts'
import { toSteps } from '../../../domain/metric-steps.ts'
import { parseDistribution, parseExemplars } from '../point-text.ts'
import type {
  MetricPage,
  MetricQuery,
  SeriesQuery,
  SeriesResult,
  StoredSeries,
} from '../port/metrics.ts'
import { type At, encodeMetric, type MetricPosition } from '../positions.ts'
import type { Row } from './columns.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { pointColumns, seriesColumns } from './signal-columns.ts'
import {
  hasMetric,
  nextMetrics,
  pointsBefore,
  pointsBetween,
  seriesOfName,
} from './statements/metrics.ts'

/*
 * Reads metrics: names, and the points of series in steps.
 */

export interface MetricReads {
  page(
    projectId: string,
    query: At<MetricPosition, MetricQuery>,
    options: StatementOptions,
  ): Promise<MetricPage>
  series(
    projectId: string,
    name: string,
    query: SeriesQuery,
    options: StatementOptions,
  ): Promise<SeriesResult | 'too-many-points' | undefined>
}

type StoredPoint = ReturnType<typeof pointColumns.fromRow>

export function openMetricReads(connection: Connection): MetricReads {
  return {
    async page(projectId, { limit, after }, options) {
      const position = { afterName: '', afterKind: '', afterUnit: '' }
      if (after !== undefined) {
        Object.assign(position, { afterName: after.name, afterKind: after.kind })
        position.afterUnit = after.unit
      }
      const counted = limits.metricSeriesCounted.value
      const parameters = { project: projectId, ...position, counted, limit: limit + 1 }
      const rows = await connection.rows(nextMetrics, parameters, options)
      const metrics = rows.slice(0, limit).map(toHead)
      const last = metrics.at(-1)
      const hasMore = last !== undefined && rows.length > limit
      return { metrics, next: hasMore ? encodeMetric(last) : undefined }
    },

    async series(projectId, name, query, options) {
      const of = { project: projectId, name }
      const known = await connection.rows(hasMetric, of, options)
      if (known.length === 0) return undefined
      const { from, to } = query.range
      const rows = await connection.rows(
        seriesOfName,
        {
          ...{ ...of, from, to, service: query.service ?? null },
          keys: query.attributes.map(([key]) => key),
          values: query.attributes.map(([, value]) => value),
          limit: limits.metricSeriesCounted.value,
        },
        options,
      )
      const chosen = rows.slice(0, query.maxSeries).map((row) => seriesColumns.fromRow(row))
      const ids = chosen.map(({ id }) => id)
      const points = await readPoints(connection, projectId, ids, query, options)
      if (points === undefined) return 'too-many-points'
      const series = chosen.map(({ lastSeenAt: _, ...each }): StoredSeries => {
        const own = points.get(each.id) ?? []
        return {
          ...each,
          steps: toSteps(
            each,
            own.map((point) => toPoint(each.kind, point)),
            query.range,
          ),
          exemplars: newestExemplars(own, query),
        }
      })
      return { series: takeFitting(series), total: rows.length }
    },
  }
}

function toHead(row: Row) {
  const [name, kind, unit, description, seriesCount, lastSeenAt] = row
  return {
    ...{ name: String(name), kind: String(kind) as MetricKind, unit: String(unit) },
    ...{ description: String(description), seriesCount: Number(seriesCount) },
    lastSeenAt: BigInt(String(lastSeenAt)),
  }
}

/** The points of each series, oldest first, and the one before the range; undefined if they are too many. */
async function readPoints(
  connection: Connection,
  projectId: string,
  series: readonly string[],
  { range: { from, to }, maxPoints }: SeriesQuery,
  options: StatementOptions,
): Promise<ReadonlyMap<string, readonly StoredPoint[]> | undefined> {
  const byId = new Map<string, StoredPoint[]>()
  if (series.length === 0) return byId
  const parameters = { project: projectId, series, from, to, limit: maxPoints + 1 }
  let count = 0
  for (const statement of [pointsBefore, pointsBetween]) {
    for await (const rows of connection.stream(statement, parameters, options)) {
      count += rows.length
      if (count > maxPoints) return undefined
      for (const row of rows) {
        const point = pointColumns.fromRow(row)
        const own = byId.get(point.seriesId) ?? []
        byId.set(point.seriesId, own)
        own.push(point)
      }
    }
  }
  return byId
}

function toPoint(
  kind: MetricKind,
  { at, startedAt, value, distribution }: StoredPoint,
): Omit<MetricPoint, 'exemplars'> {
  const parsed = distribution === null ? null : parseDistribution(kind, distribution)
  return { at, startedAt, value, distribution: parsed }
}

function newestExemplars(
  points: readonly StoredPoint[],
  { range: { from }, maxExemplars }: SeriesQuery,
): readonly Exemplar[] {
  const found: Exemplar[] = []
  for (const { at, exemplars } of points.toReversed()) {
    if (at < from || found.length >= maxExemplars) break
    if (exemplars === null) continue
    found.push(
      ...parseExemplars(exemplars)
        .slice(found.length - maxExemplars)
        .toReversed(),
    )
  }
  return found
}

/** Of a step as JSON. */
const stepBytes = 200

function takeFitting(series: readonly StoredSeries[]): readonly StoredSeries[] {
  let bytes = 0
  const end = series.findIndex((each, index) => {
    bytes += sizeOf(each)
    return index > 0 && bytes > limits.pageBytes.value
  })
  return end === -1 ? series : series.slice(0, end)
}

function sizeOf({ steps, exemplars, attributes, resource, scope, description }: StoredSeries) {
  const texts = [
    attributes,
    resource,
    scope,
    description,
    ...exemplars.map((one) => one.attributes),
  ]
  const values = (steps.length + exemplars.length) * stepBytes
  return texts.reduce((sum, { length }) => sum + length, values)
}
