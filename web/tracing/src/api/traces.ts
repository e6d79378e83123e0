import { base } from '@assay/account/api/base.ts'
import { callEarly } from '@assay/account/api/first-requests.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import {
  type ListedSpan,
  listTraces,
  readSpan,
  readTrace,
  type Trace,
  type TraceFilters,
} from '@assay/contract/traces.ts'
import { parseExactly } from '@assay/ui/exact-json.ts'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListedFilters } from '../parts/trace-search.ts'
import { toListArgs, toTraceArgs } from './trace-requests.ts'

export interface TracesPage {
  readonly traces: readonly Trace[]
  /**
   * The last trace when the page was fetched: the next page continues after it, even if that trace moves.
   */
  readonly end: Trace | undefined
  readonly nextCursor: string | null
  /** Set when the page ended at the scan limit: earlier traces were not searched yet. */
  readonly completeFrom: string | null
  /** All traces of the project, or of the mode; null while another filter is set, and where it is an estimate. */
  readonly total: number | null
  /** For a full-text search: how long the oldest span missing from the index has been stored. */
  readonly searchLagMs: number | null
  /** The filters and the order of this page, with a fixed time range. */
  readonly filters: ListedFilters
}

interface PagePosition {
  readonly cursor?: string
  /** The first page fixes the filters, so that a relative time range does not slide between pages. */
  readonly filters?: ListedFilters
}

const first: PagePosition = {}

export type LoadedTraces = InfiniteData<TracesPage, PagePosition>

/**
 * The trace list, page by page. `key` identifies the filters; `filtersAt` resolves a relative
 * time range.
 */
export function tracesQuery(
  projectId: string,
  key: unknown,
  filtersAt: (nowMs: number) => ListedFilters,
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

/** The current state of one page of the list. */
export async function fetchPage(
  projectId: string,
  filters: ListedFilters,
  cursor?: string,
  signal?: AbortSignal,
): Promise<TracesPage> {
  const args = toListArgs(projectId, filters, cursor)
  const init = signal === undefined ? {} : { signal }
  const { data, meta } = await callEarly(listTraces, args, init)
  return {
    traces: data,
    end: data.at(-1),
    nextCursor: meta.cursor,
    completeFrom: meta.complete_from,
    total: exactTotal(meta),
    searchLagMs: meta.search_lag_ms,
    filters,
  }
}

interface ListMeta {
  readonly total: number | null
  readonly is_total_estimate: boolean
}

/** Null for an estimate: it is no number to select or to delete by. The histogram counts the traces, too. */
export function exactTotal({ total, is_total_estimate: isEstimate }: ListMeta): number | null {
  return isEstimate ? null : total
}

/** The number of traces in a project; null where it is an estimate. */
export function traceCountQuery(projectId: string) {
  return queryOptions({
    queryKey: ['trace-count', projectId],
    queryFn: async ({ signal }) => {
      const args = { params: { projectId }, query: { limit: 1 } }
      const { meta } = await callWithMeta(base, listTraces, args, { signal })
      return exactTotal(meta)
    },
  })
}

/** Whether there are traces for the filters, and how many where that is known exactly. */
export function hiddenTracesQuery(
  projectId: string,
  key: unknown,
  filtersAt: (nowMs: number) => TraceFilters,
) {
  return queryOptions({
    queryKey: ['hidden-traces', projectId, key],
    queryFn: async ({ signal }) => {
      const args = { params: { projectId }, query: { ...filtersAt(Date.now()), limit: 1 } }
      const { data, meta } = await callWithMeta(base, listTraces, args, { signal })
      return { isNone: data.length === 0, total: exactTotal(meta) }
    },
    retry: false,
  })
}

export interface SpansPage {
  readonly trace: Trace
  readonly spans: readonly ListedSpan[]
  readonly nextCursor: string | null
}

/** A trace with its spans without bodies, page by page; bodies are fetched per span. */
export function traceQuery(projectId: string, traceId: string) {
  return infiniteQueryOptions({
    queryKey: ['trace', projectId, traceId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }): Promise<SpansPage> => {
      const args = toTraceArgs(projectId, traceId, cursor)
      const { data, meta } = await callEarly(readTrace, args, { signal })
      const { spans, ...trace } = data
      return { trace, spans, nextCursor: meta.cursor }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Structural comparison of ten thousand spans would cost more than it saves.
    structuralSharing: false,
  })
}

/** Rejects when the project has no such trace. */
export async function checkTrace(projectId: string, traceId: string): Promise<void> {
  const query = { payload: 'none' } as const
  await call(base, readTrace, { params: { projectId, traceId }, query })
}

export function spanQuery(projectId: string, traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['span', projectId, traceId, spanId],
    queryFn: ({ signal }) =>
      call(base, readSpan, { params: { projectId, traceId, spanId } }, { signal }, parseExactly),
    // Bodies can be megabytes: neither compared structurally nor cached for long.
    structuralSharing: false,
    gcTime: 60_000,
  })
}
