import type { Args } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { listTraces, readTrace, TraceFilters } from '@assay/contract/traces.ts'

/*
 * The arguments of the requests that the first page sends before the code of the app has loaded.
 */

/** One page of the trace list. */
export function toListArgs(
  projectId: string,
  filters: TraceFilters,
  cursor?: string,
): Args<typeof listTraces> {
  // The maximum: fewer requests while scrolling mean fewer waits at the last row.
  const limit = limits.tracesPageMax.value
  const query = { ...filters, limit, ...(cursor === undefined ? {} : { cursor }) }
  return { params: { projectId }, query }
}

/** A trace with one page of its spans, without bodies. */
export function toTraceArgs(
  projectId: string,
  traceId: string,
  cursor?: string,
): Args<typeof readTrace> {
  const query = { payload: 'none' as const, ...(cursor === undefined ? {} : { cursor }) }
  return { params: { projectId, traceId }, query }
}
