import type { LogRecord } from '../../../domain/log-record.ts'
import type { Measurement, MetricSeries } from '../../../domain/metric.ts'
import { serializeDistribution, serializeExemplars } from '../point-text.ts'
import { type EncodedSignals, signalsPerPart } from '../port/ingest.ts'
import { logId, resourceScopeId, seriesId } from '../signal-ids.ts'

/*
 * Transfers metrics and log records to the writer as one JSON text that has each resource, scope and series
 * once. Instants are decimal text, ids hexadecimal.
 */

export type ResourceScopeColumns = readonly [
  id: string,
  service: string | null,
  resource: string,
  scope: string,
]

export type SeriesColumns = readonly [
  id: string,
  resourceScope: number,
  name: string,
  kind: string,
  unit: string,
  description: string,
  temporality: string,
  isMonotonic: 0 | 1,
  attributes: string,
]

export type PointColumns = readonly [
  series: number,
  at: string,
  startedAt: string | null,
  value: number | null,
  distribution: string | null,
  exemplars: string | null,
]

export interface MetricRows {
  readonly resourceScopes: readonly ResourceScopeColumns[]
  readonly series: readonly SeriesColumns[]
  readonly points: readonly PointColumns[]
}

export type LogColumns = readonly [
  id: string,
  resourceScope: number,
  at: string,
  observedAt: string | null,
  severity: number,
  severityText: string | null,
  eventName: string | null,
  traceId: string | null,
  spanId: string | null,
  body: string,
  attributes: string,
  /** The input and output that the record has for its span. */
  input: string | null,
  output: string | null,
]

export interface LogRows {
  readonly resourceScopes: readonly ResourceScopeColumns[]
  readonly records: readonly LogColumns[]
}

/** Each part can be stored alone. */
export function encodeMetricsForSqlite(measurements: readonly Measurement[]): EncodedSignals {
  return encoded(inParts(measurements, encodeMeasurements), [])
}

/** As `encodeMetricsForSqlite`. */
export function encodeLogsForSqlite(logs: readonly LogRecord[]): EncodedSignals {
  const filled = logs.flatMap(({ traceId, content }) =>
    traceId === null || content === null ? [] : [traceId],
  )
  return encoded(inParts(logs, encodeLogs), [...new Set(filled)])
}

function inParts<Item, Rows>(
  items: readonly Item[],
  encode: (items: readonly Item[]) => Rows,
): Rows[] {
  const parts: Rows[] = []
  for (let at = 0; at === 0 || at < items.length; at += signalsPerPart) {
    parts.push(encode(items.slice(at, at + signalsPerPart)))
  }
  return parts
}

function encodeMeasurements(measurements: readonly Measurement[]): MetricRows {
  const resourceScopes = collectResourceScopes()
  const series: SeriesColumns[] = []
  const positions = new Map<string, number>()
  const findOrAddPosition = (item: MetricSeries): number => {
    const resourceScope = resourceScopes.findOrAddPosition(item)
    const id = seriesId(item, resourceScopes.columns[resourceScope]![0])
    const known = positions.get(id)
    if (known !== undefined) return known
    const { name, kind, unit, description, temporality, attributes } = item
    const isMonotonic = item.isMonotonic ? 1 : 0
    positions.set(id, series.length)
    series.push([
      id,
      resourceScope,
      name,
      kind,
      unit,
      description,
      temporality,
      isMonotonic,
      attributes,
    ])
    return series.length - 1
  }
  const points = measurements.map(({ series: item, point }): PointColumns => {
    const { at, startedAt, value, distribution, exemplars } = point
    return [
      findOrAddPosition(item),
      String(at),
      startedAt === null ? null : String(startedAt),
      value,
      distribution && serializeDistribution(item.kind, distribution),
      exemplars.length === 0 ? null : serializeExemplars(exemplars),
    ]
  })
  return { resourceScopes: resourceScopes.columns, series, points }
}

function encodeLogs(logs: readonly LogRecord[]): LogRows {
  const resourceScopes = collectResourceScopes()
  const records = logs.map((record): LogColumns => {
    const resourceScope = resourceScopes.findOrAddPosition(record)
    return [
      logId(record, resourceScopes.columns[resourceScope]![0]),
      resourceScope,
      String(record.at),
      record.observedAt === null ? null : String(record.observedAt),
      record.severity,
      record.severityText,
      record.eventName,
      record.traceId,
      record.spanId,
      record.body,
      record.attributes,
      record.content?.input ?? null,
      record.content?.output ?? null,
    ]
  })
  return { resourceScopes: resourceScopes.columns, records }
}

type ResourceScope = Pick<LogRecord, 'service' | 'resource' | 'scope'>

interface ResourceScopes {
  readonly columns: readonly ResourceScopeColumns[]
  findOrAddPosition(item: ResourceScope): number
}

function collectResourceScopes(): ResourceScopes {
  const columns: ResourceScopeColumns[] = []
  const positions = new Map<string, number>()
  let last: { readonly item: ResourceScope; readonly position: number } | undefined
  return {
    columns,
    findOrAddPosition(item) {
      // Items of one scope are adjacent and share the same strings.
      if (last !== undefined && isSame(last.item, item)) return last.position
      const id = resourceScopeId(item)
      const position = positions.get(id) ?? columns.length
      if (position === columns.length) {
        positions.set(id, position)
        columns.push([id, item.service, item.resource, item.scope])
      }
      last = { item, position }
      return position
    },
  }
}

function isSame(a: ResourceScope, b: ResourceScope): boolean {
  return a.resource === b.resource && a.scope === b.scope && a.service === b.service
}

function encoded(
  rows: readonly (MetricRows | LogRows)[],
  filledTraceIds: readonly string[],
): EncodedSignals {
  const parts = rows.map((each) => new TextEncoder().encode(JSON.stringify(each)))
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0)
  return { sizeBytes, parts, filledTraceIds }
}

export function decodeSignals<Rows extends MetricRows | LogRows>(bytes: Uint8Array): Rows {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}
