import { limits } from '@assay/contract/limits.ts'
import { listLogs, type logFilters } from '@assay/contract/logs.ts'
import type { z } from 'zod'
import { formatInstant, type Instant, parseInstant } from '../../domain/instant.ts'
import { severities } from '../../domain/log-record.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import { Failure } from '../../platform/failure.ts'
import type { LogFilters, StoredLog } from '../../storage/telemetry/port/logs.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

export interface LogsPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
}

export function registerLogs({ bind, telemetry }: LogsPorts): void {
  bind(listLogs, async ({ caller: { projectId }, query, readOptions }) => {
    const { limit, cursor, ...filters } = query
    const logQuery = {
      limit,
      scanLimit: limits.logsScanned.value,
      filters: storeFilters(filters),
      ...(cursor !== undefined && { after: cursor }),
    }
    const { logs, next } = await telemetry.listLogs(projectId, logQuery, readOptions)
    return {
      data: new ReadyJson(`[${logs.map(logText).join(',')}]`),
      meta: { pageSize: logs.length, cursor: next ?? null },
    }
  })
}

function storeFilters(query: z.output<typeof logFilters>): LogFilters {
  const { severity, trace_id, span_id, service, event_name, q, from, to } = query
  if (span_id !== undefined && trace_id === undefined) {
    throw new Failure('VALIDATION_ERROR', 'span_id must come with trace_id')
  }
  const filters = {
    severity: severity && severities[severity],
    traceId: trace_id?.toLowerCase(),
    spanId: span_id?.toLowerCase(),
    service,
    eventName: event_name,
    words: q === undefined ? undefined : parseSearchTerms(q),
    from: instant(from),
    to: instant(to),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

function instant(iso: string | undefined): Instant | undefined {
  return iso === undefined ? undefined : parseInstant(iso)
}

function parseSearchTerms(q: string): string[] {
  return [...q.matchAll(/"([^"]+)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole)
}

/** Stored JSON is passed through unparsed. */
function logText(log: StoredLog): string {
  const head = JSON.stringify({
    log_id: log.id,
    at: formatInstant(log.at),
    observed_at: log.observedAt === null ? null : formatInstant(log.observedAt),
    severity: log.severity,
    severity_text: log.severityText,
    event_name: log.eventName,
    trace_id: log.traceId,
    span_id: log.spanId,
    service: log.service,
  })
  return `${head.slice(0, -1)},"body":${log.body},"attributes":${log.attributes},"resource":${log.resource},"scope":${log.scope}}`
}
