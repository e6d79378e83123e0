import { callWithMeta } from '@assay/contract/client.ts'
import { type ListedSpan, readTrace, type Trace } from '@assay/contract/traces.ts'
import { instantMs } from '@assay/ui/time-format.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { base } from '../../api/base.ts'
import { type SpansPage, traceQuery } from '../../api/traces.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'

/** A changed trace of one page is fetched again by itself, at most this often. */
const refreshDelayMs = 800

export interface LoadedTrace {
  readonly trace: Trace | undefined
  readonly spans: readonly ListedSpan[]
  /** Every span of the trace is here. */
  readonly isComplete: boolean
  readonly error: Error | null
  readonly retry: () => void
  /** The trace has changed and is too large to be fetched again unasked. */
  readonly isOutdated: boolean
  readonly refresh: () => void
  readonly isRefreshing: boolean
}

/** A trace with the heads of all its spans, page after page, renewed when it changes. */
export function useLoadedTrace(projectId: string, traceId: string): LoadedTrace {
  const queryClient = useQueryClient()
  const query = useInfiniteQuery(traceQuery(projectId, traceId))
  const { hasNextPage, isError, fetchNextPage, refetch } = query
  const pages = query.data?.pages
  const shouldFetchMore = !isError && (pages === undefined || hasNextPage)
  useEffect(() => {
    if (!shouldFetchMore) return
    const leaving = new AbortController()
    // A failure needs no handling here: the query itself tells of it.
    void queryClient
      .infiniteQuery({ ...traceQuery(projectId, traceId), staleTime: 'static' })
      .then((loaded) => fetchRest(loaded.pages.at(-1), fetchNextPage, leaving.signal))
      .catch(() => undefined)
    return () => leaving.abort()
  }, [shouldFetchMore, queryClient, projectId, traceId, fetchNextPage])

  const trace = pages?.[0]?.trace
  const spans = useMemo(() => pages?.flatMap((page) => page.spans) ?? [], [pages])

  const [newestMs, setNewestMs] = useState(0)
  const note = (told: Trace) => setNewestMs((known) => Math.max(known, instantMs(told.updated_at)))
  useLiveTraces(projectId, {
    isOn: true,
    onTraces: (traces) => traces.filter((one) => one.trace_id === traceId).forEach(note),
    // A failure is no news: the stream tries again, and the trace's own request tells of trouble.
    onConnected: () => void fetchHead(projectId, traceId).then(note, () => undefined),
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

/** Each page as soon as the one before has named it, without waiting until that one is drawn. */
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

async function fetchHead(projectId: string, traceId: string): Promise<Trace> {
  const args = { params: { projectId, traceId }, query: { payload: 'none' as const } }
  return (await callWithMeta(base, readTrace, args)).data
}
