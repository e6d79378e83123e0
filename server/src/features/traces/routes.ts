import { limits } from '@assay/contract/limits.ts'
import {
  listTraces,
  readSpan,
  readTrace,
  watchTraces as watchTracesEndpoint,
} from '@assay/contract/traces.ts'
import { formatInstant } from '../../domain/instant.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import { Failure } from '../../platform/failure.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'
import { toApiTrace, withScoreCounts } from './serialize-trace.ts'
import { openLiveTraces, watchTraces } from './watch-traces.ts'

export interface TracesPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
}

const traceNotFound = () => new Failure('NOT_FOUND', 'Trace not found.')
const spanNotFound = () => new Failure('NOT_FOUND', 'Span not found.')

export function registerTraces({ bind, telemetry }: TracesPorts): void {
  const live = openLiveTraces(telemetry)

  bind(listTraces, async ({ caller: { projectId }, query, readOptions }) => {
    const { limit, cursor, order = '-started', trace_id_prefix: traceIdPrefix, ...filters } = query
    const traceQuery = {
      limit,
      filters: {
        ...toTraceFilters(filters),
        ...(traceIdPrefix !== undefined && { traceIdPrefix }),
      },
      order,
      scanLimit: (order === '-started' ? limits.tracesScanned : limits.tracesSorted).value,
      ...(cursor !== undefined && { after: cursor }),
    }
    const page = await telemetry.listTraces(projectId, traceQuery, readOptions)
    return {
      data: await withScoreCounts(telemetry, projectId, page.traces, readOptions),
      meta: {
        pageSize: page.traces.length,
        cursor: page.next ?? null,
        total: page.total,
        is_total_estimate: page.isTotalEstimate,
        is_complete: page.coverageStart === undefined,
        complete_from: page.coverageStart === undefined ? null : formatInstant(page.coverageStart),
        search_lag_ms: filters.q === undefined ? null : telemetry.searchLagMs(),
      },
    }
  })

  bind(watchTracesEndpoint, async ({ caller: { projectId }, readOptions }) => {
    return watchTraces(live, projectId, readOptions)
  })

  bind(readTrace, async ({ caller: { projectId }, params: { traceId }, query, readOptions }) => {
    const spanQuery = {
      limit: limits.spansPage.value,
      bodies: query.payload === 'full',
      ...(query.cursor !== undefined && { after: query.cursor }),
    }
    const page = await telemetry.readSpansJson(projectId, traceId, spanQuery, readOptions)
    if (page === undefined) throw traceNotFound()
    const head = JSON.stringify(toApiTrace(page.trace)).slice(0, -1)
    return {
      data: new ReadyJson(`${head},"spans":`, page.json, '}'),
      meta: { pageSize: page.count, cursor: page.next ?? null },
    }
  })

  bind(readSpan, async ({ caller: { projectId }, params: { traceId, spanId }, readOptions }) => {
    const span = await telemetry.readSpanJson(projectId, traceId, spanId, readOptions)
    if (span === undefined) throw spanNotFound()
    return new ReadyJson(span)
  })
}
