import { hash } from 'node:crypto'
import type { LogRecord } from '../../domain/log-record.ts'
import type { MetricSeries } from '../../domain/metric.ts'

/*
 * Ids for items without one: 128 bits of a hash over everything that identifies the item, as hexadecimal.
 * The hash does not include the project, because engines store it next to the id.
 */

export function resourceScopeId({
  service,
  resource,
  scope,
}: Pick<LogRecord, 'service' | 'resource' | 'scope'>): string {
  return hashId([service, resource, scope])
}

export function seriesId(series: MetricSeries, resourceScope: string): string {
  const { name, kind, unit, temporality, isMonotonic, attributes } = series
  return hashId([name, kind, unit, temporality, String(isMonotonic), resourceScope, attributes])
}

export function logId(record: LogRecord, resourceScope: string): string {
  return hashId([
    String(record.at),
    String(record.observedAt),
    String(record.severity),
    record.severityText,
    record.eventName,
    record.traceId,
    record.spanId,
    resourceScope,
    record.body,
    record.attributes,
  ])
}

/** Lengths separate the parts: moving text from one part to the next changes the hash. */
function hashId(parts: readonly (string | null)[]): string {
  const text = parts.map((part) => (part === null ? '-' : `${part.length} ${part}`)).join('\n')
  return hash('sha256', text, 'hex').slice(0, 32)
}
