import type { LogRecord } from '../../../domain/log-record.ts'
import type { Measurement } from '../../../domain/metric.ts'
import { serializeDistribution, serializeExemplars } from '../point-text.ts'
import type { EncodedSignals } from '../port/ingest.ts'
import { logId, resourceScopeId, seriesId } from '../signal-ids.ts'
import { toLine } from './lines.ts'
import { contentColumns, logColumns, pointColumns, seriesColumns } from './signal-columns.ts'

/*
 * Metrics and log records as rows of ClickHouse, as encode-spans.ts has spans: two parts, for two tables each.
 */

/** The parts are series and points. */
export function encodeMetricsForClickHouse(measurements: readonly Measurement[]): EncodedSignals {
  const resourceScopeIds = new Map<string, string>()
  const series = new Map<string, string>()
  // Of two points of a series at one time the later one counts.
  const points = new Map<string, string>()
  for (const { series: item, point } of measurements) {
    const { service, resource, scope } = item
    const key = JSON.stringify([service, resource, scope])
    const resourceScope = resourceScopeIds.get(key) ?? resourceScopeId(item)
    resourceScopeIds.set(key, resourceScope)
    const id = seriesId(item, resourceScope)
    const { at, startedAt, value, distribution, exemplars } = point
    series.set(`${id} ${at}`, toLine(seriesColumns.toRow({ ...item, id, lastSeenAt: at })))
    const row = pointColumns.toRow({
      ...{ seriesId: id, at, startedAt, value },
      distribution: distribution && serializeDistribution(item.kind, distribution),
      exemplars: exemplars.length === 0 ? null : serializeExemplars(exemplars),
    })
    points.set(`${id} ${at}`, toLine(row))
  }
  return encoded([series.values(), points.values()], [])
}

/** The parts are records, and the inputs and outputs that some have for their spans. */
export function encodeLogsForClickHouse(logs: readonly LogRecord[]): EncodedSignals {
  const records: string[] = []
  const contents: string[] = []
  const filled = new Set<string>()
  for (const [requestIndex, record] of logs.entries()) {
    const { content, traceId, spanId, at, observedAt } = record
    const id = logId(record, resourceScopeId(record))
    records.push(toLine(logColumns.toRow({ ...record, id })))
    if (content === null || traceId === null) continue
    filled.add(traceId)
    if (spanId === null || (content.input ?? content.output) === null) continue
    const row = { ...content, traceId, spanId, logId: id, at, requestIndex }
    contents.push(toLine(contentColumns.toRow({ ...row, observedAt: observedAt ?? at })))
  }
  return encoded([records, contents], [...filled])
}

function encoded(
  tables: readonly Iterable<string>[],
  filledTraceIds: readonly string[],
): EncodedSignals {
  const parts = tables.map((lines) => new TextEncoder().encode([...lines].join('')))
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0)
  return { sizeBytes, parts, filledTraceIds }
}
