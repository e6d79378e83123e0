import type { JsonText } from '../../../domain/json-text.ts'
import type { StoredLog } from '../port/logs.ts'

/*
 * Log records as rows of `logs` with their resource and scope.
 */

export const logSelection = `
    lower(hex(log_id)), CAST(at AS TEXT), CAST(observed_at AS TEXT), severity, severity_text,
    event_name, trace_id, span_id, service, body, attributes, resource, scope`

export type LogRow = readonly [
  id: string,
  at: string,
  observedAt: string | null,
  severity: number,
  severityText: string | null,
  eventName: string | null,
  traceId: string | null,
  spanId: string | null,
  service: string | null,
  body: JsonText,
  attributes: JsonText,
  resource: JsonText,
  scope: JsonText,
]

export function toLog(row: LogRow): StoredLog {
  const [id, at, observedAt, severity, severityText, eventName, traceId, spanId, ...rest] = row
  const [service, body, attributes, resource, scope] = rest
  return {
    ...{ id, severity, severityText, eventName, traceId, spanId },
    ...{ service, body, attributes, resource, scope },
    at: BigInt(at),
    observedAt: observedAt === null ? null : BigInt(observedAt),
  }
}
