import { call, callWithMeta } from '@assay/contract/client.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  type ListedSpan,
  listTraces,
  readSpan,
  readTrace,
  type Trace,
  type TraceFilters,
} from '@assay/contract/traces.ts'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { base } from './base.ts'

export interface TracesPage {
  readonly traces: readonly Trace[]
  /** The last trace when the page was fetched: the next page goes on behind it, wherever that trace moves. */
  readonly end: Trace | undefined
  readonly nextCursor: string | null
  /** Set when the page ended at the scan limit: earlier traces were not searched yet. */
  readonly completeFrom: string | null
  /** All traces of the project; null while a filter is set. */
  readonly total: number | null
  /** With words to search for: for how long the oldest span that they miss has been stored. */
  readonly searchLagMs: number | null
  /** The filters this page was asked with, a relative time range made fixed. */
  readonly filters: TraceFilters
}

interface PagePosition {
  readonly cursor?: string
  /** The first page fixes the filters, so that a relative time range does not slide between pages. */
  readonly filters?: TraceFilters
}

const first: PagePosition = {}

export type LoadedTraces = InfiniteData<TracesPage, PagePosition>

/** The list of traces, newest first, page by page. `key` names the filters; `filtersAt` counts a relative time range back. */
export function tracesQuery(
  projectId: string,
  key: unknown,
  filtersAt: (nowMs: number) => TraceFilters,
) {
  return infiniteQueryOptions({
    queryKey: ['traces', projectId, key],
    initialPageParam: first,
    queryFn: async ({ pageParam, signal }): Promise<TracesPage> => {
      const filters = pageParam.filters ?? filtersAt(Date.now())
      return fetchPage(projectId, filters, pageParam.cursor, signal)
    },
    getNextPageParam: ({ nextCursor, filters }): PagePosition | undefined =>
      nextCursor === null ? undefined : { cursor: nextCursor, filters },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}

/** One page of the list as it now is. */
export async function fetchPage(
  projectId: string,
  filters: TraceFilters,
  cursor?: string,
  signal?: AbortSignal,
): Promise<TracesPage> {
  // As many as there can be: the fewer requests a scroll takes, the seldomer it catches up with the last row.
  const limit = limits.tracesPageMax.value
  const query = { ...filters, limit, ...(cursor === undefined ? {} : { cursor }) }
  const init = signal === undefined ? {} : { signal }
  const { data, meta } = await callWithMeta(
    base,
    listTraces,
    { params: { projectId }, query },
    init,
  )
  return {
    traces: data,
    end: data.at(-1),
    nextCursor: meta.cursor,
    completeFrom: meta.complete_from,
    total: meta.total,
    searchLagMs: meta.search_lag_ms,
    filters,
  }
}

/** How many traces a project has. */
export function traceCountQuery(projectId: string) {
  return queryOptions({
    queryKey: ['trace-count', projectId],
    queryFn: async ({ signal }) => {
      const args = { params: { projectId }, query: { limit: 1 } }
      const { meta } = await callWithMeta(base, listTraces, args, { signal })
      return meta.total
    },
  })
}

export interface SpansPage {
  readonly trace: Trace
  readonly spans: readonly ListedSpan[]
  readonly nextCursor: string | null
}

/** A trace with the heads of its spans, page by page; bodies are read one span at a time. */
export function traceQuery(projectId: string, traceId: string) {
  return infiniteQueryOptions({
    queryKey: ['trace', projectId, traceId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }): Promise<SpansPage> => {
      const query = { payload: 'none' as const, ...(cursor === undefined ? {} : { cursor }) }
      const params = { projectId, traceId }
      const { data, meta } = await callWithMeta(base, readTrace, { params, query }, { signal })
      const { spans, ...trace } = data
      return { trace, spans, nextCursor: meta.cursor }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Comparing ten thousand old spans with ten thousand new ones would cost more than it saves.
    structuralSharing: false,
  })
}

export function spanQuery(projectId: string, traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['span', projectId, traceId, spanId],
    queryFn: ({ signal }) =>
      call(base, readSpan, { params: { projectId, traceId, spanId } }, { signal }),
    // A body may be megabytes: compared neither member by member nor kept long after it was looked at.
    structuralSharing: false,
    gcTime: 60_000,
  })
}
