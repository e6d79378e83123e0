import type { LogRecord } from '../../../domain/log-record.ts'
import type { Measurement, MetricSeries } from '../../../domain/metric.ts'
import { logId, originId, seriesId } from '../signal-ids.ts'
import type { EncodedSignals } from '../store.ts'
import { distributionText, exemplarsText } from './point-text.ts'

/*
 * Metrics and log records as rows on their way to the writer: one JSON text, in which resources, scopes and
 * series are told once. Instants are decimal text, ids hexadecimal.
 */

export type OriginColumns = readonly [
  id: string,
  service: string | null,
  resource: string,
  scope: string,
]

export type SeriesColumns = readonly [
  id: string,
  origin: number,
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
  readonly origins: readonly OriginColumns[]
  readonly series: readonly SeriesColumns[]
  readonly points: readonly PointColumns[]
}

export type LogColumns = readonly [
  id: string,
  origin: number,
  at: string,
  observedAt: string | null,
  severity: number,
  severityText: string | null,
  eventName: string | null,
  traceId: string | null,
  spanId: string | null,
  body: string,
  attributes: string,
  /** Of the span: what the record tells of its input and output. */
  input: string | null,
  output: string | null,
]

export interface LogRows {
  readonly origins: readonly OriginColumns[]
  readonly records: readonly LogColumns[]
}

export function encodeMetricsForSqlite(measurements: readonly Measurement[]): EncodedSignals {
  const origins = gatherOrigins()
  const series: SeriesColumns[] = []
  const places = new Map<string, number>()
  const placeOf = (told: MetricSeries): number => {
    const origin = origins.placeOf(told)
    const id = seriesId(told, origins.columns[origin]![0])
    const known = places.get(id)
    if (known !== undefined) return known
    const { name, kind, unit, description, temporality, attributes } = told
    const isMonotonic = told.isMonotonic ? 1 : 0
    places.set(id, series.length)
    series.push([id, origin, name, kind, unit, description, temporality, isMonotonic, attributes])
    return series.length - 1
  }
  const points = measurements.map(({ series: told, point }): PointColumns => {
    const { at, startedAt, value, distribution, exemplars } = point
    return [
      placeOf(told),
      String(at),
      startedAt === null ? null : String(startedAt),
      value,
      distribution && distributionText(told.kind, distribution),
      exemplars.length === 0 ? null : exemplarsText(exemplars),
    ]
  })
  return encoded({ origins: origins.columns, series, points } satisfies MetricRows, [])
}

export function encodeLogsForSqlite(logs: readonly LogRecord[]): EncodedSignals {
  const origins = gatherOrigins()
  const records = logs.map((record): LogColumns => {
    const origin = origins.placeOf(record)
    return [
      logId(record, origins.columns[origin]![0]),
      origin,
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
  const filled = logs.flatMap(({ traceId, content }) =>
    traceId === null || content === null ? [] : [traceId],
  )
  return encoded({ origins: origins.columns, records } satisfies LogRows, [...new Set(filled)])
}

type Origin = Pick<LogRecord, 'service' | 'resource' | 'scope'>

interface Origins {
  readonly columns: readonly OriginColumns[]
  placeOf(told: Origin): number
}

function gatherOrigins(): Origins {
  const columns: OriginColumns[] = []
  const places = new Map<string, number>()
  let last: { readonly told: Origin; readonly place: number } | undefined
  return {
    columns,
    placeOf(told) {
      // Items of one scope come in a row and share these very texts.
      if (last !== undefined && isSame(last.told, told)) return last.place
      const id = originId(told)
      const place = places.get(id) ?? columns.length
      if (place === columns.length) {
        places.set(id, place)
        columns.push([id, told.service, told.resource, told.scope])
      }
      last = { told, place }
      return place
    },
  }
}

function isSame(a: Origin, b: Origin): boolean {
  return a.resource === b.resource && a.scope === b.scope && a.service === b.service
}

function encoded(rows: MetricRows | LogRows, filledTraceIds: readonly string[]): EncodedSignals {
  const bytes = new TextEncoder().encode(JSON.stringify(rows))
  return { sizeBytes: bytes.length, parts: [bytes], filledTraceIds }
}

export function decodeSignals<Rows extends MetricRows | LogRows>(bytes: Uint8Array): Rows {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}
