import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { type ListedSpan, listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type SpansPage, traceQuery } from '../../api/traces.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'

/** The minimum interval between automatic refreshes of a small trace. */
const refreshDelayMs = 800

export interface LoadedTrace {
  readonly trace: Trace | undefined
  readonly spans: readonly ListedSpan[]
  /** All spans are loaded. */
  readonly isComplete: boolean
  readonly error: Error | null
  readonly retry: () => void
  /** The trace has changed and is too large to refresh automatically. */
  readonly isOutdated: boolean
  readonly refresh: () => void
  readonly isRefreshing: boolean
}

/** Loads a trace with all its spans, page by page, and refreshes it when it changes. */
export function useLoadedTrace(projectId: string, traceId: string): LoadedTrace {
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(traceQuery(projectId, traceId))
  const { hasNextPage, isError, fetchNextPage, refetch } = query
  const pages = query.data?.pages
  const shouldFetchMore = !isError && (pages === undefined || hasNextPage)
  useEffect(() => {
    if (!shouldFetchMore) return
    const leaving = new AbortController()
    // Ignored: the query reports its own errors.
    void queryClient
      .infiniteQuery({ ...traceQuery(projectId, traceId), staleTime: 'static' })
      .then((loaded) => fetchRest(loaded.pages.at(-1), fetchNextPage, leaving.signal))
      .catch(() => undefined)
    return () => leaving.abort()
  }, [shouldFetchMore, queryClient, projectId, traceId, fetchNextPage])

  const trace = pages?.[0]?.trace
  const spans = useMemo(() => pages?.flatMap((page) => page.spans) ?? [], [pages])

  const [newestMs, setNewestMs] = useState(0)
  const note = (one: Trace) => setNewestMs((known) => Math.max(known, instantMs(one.updated_at)))
  useLiveTraces(projectId, {
    // A missing trace is requested once.
    isOn: trace !== undefined,
    onTraces: (traces) => traces.filter((one) => one.trace_id === traceId).forEach(note),
    onConnected: () => fetchHead(projectId, traceId).then(note),
  })

  const refresh = useCallback(async (): Promise<void> => {
    await refetch()
    await queryClient.invalidateQueries({ queryKey: ['span', projectId, traceId] })
  }, [refetch, queryClient, projectId, traceId])

  const hasChanged = trace !== undefined && newestMs > instantMs(trace.updated_at)
  const isSmall = pages?.length === 1 && !hasNextPage
  const shouldRefresh = hasChanged && isSmall && !query.isFetching
  useEffect(() => {
    if (!shouldRefresh) return
    const timer = setTimeout(() => void refresh(), refreshDelayMs)
    return () => clearTimeout(timer)
  }, [shouldRefresh, refresh])

  return {
    trace,
    spans,
    isComplete: query.isSuccess && !hasNextPage,
    error: query.error,
    retry: () => void (pages === undefined ? refetch() : fetchNextPage()),
    isOutdated: hasChanged && !isSmall && !hasNextPage,
    refresh: () => void refresh(),
    isRefreshing: query.isRefetching,
  }
}

/** Requests each page as soon as its cursor is known, without waiting for a render. */
async function fetchRest(
  last: SpansPage | undefined,
  fetchNextPage: ReturnType<typeof useInfiniteQuery>['fetchNextPage'],
  leaving: AbortSignal,
): Promise<void> {
  let hasMore = last !== undefined && last.nextCursor !== null
  while (hasMore && !leaving.aborted) {
    const { hasNextPage, isError } = await fetchNextPage({ cancelRefetch: false })
    hasMore = hasNextPage && !isError
  }
}

/** The trace without its spans, from the list: they may be megabytes. */
async function fetchHead(projectId: string, traceId: string): Promise<Trace> {
  const query = { trace_id_prefix: traceId, limit: 1 }
  const [found] = await call(base, listTraces, { params: { projectId }, query })
  if (found?.trace_id === traceId) return found
  // The ID of another trace begins with it.
  return call(base, readTrace, { params: { projectId, traceId }, query: { payload: 'none' } })
}
