import type { Trace } from '@assay/contract/traces.ts'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { fetchPage, type LoadedTraces, tracesQuery } from '../../api/traces.ts'
import { type LiveState, useLiveTraces } from '../../api/use-live-traces.ts'
import { pickList, type TraceSearch, toListQuery } from '../../parts/trace-search.ts'
import { matchFilters, withoutTraces, withTraces } from './live-list.ts'

/** The filtered trace list, kept up to date by the live stream while it is on. */
export function useTraceList(projectId: string, search: TraceSearch) {
  const queryClient = useQueryClient()
  const options = tracesQuery(projectId, pickList(search), (nowMs) => toListQuery(search, nowMs))
  const isSorted = search.order !== undefined
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const { queryKey } = options

  function change(how: (loaded: LoadedTraces) => LoadedTraces): void {
    queryClient.setQueryData<LoadedTraces>(queryKey, (loaded) => loaded && how(loaded))
  }

  /** Drops all loaded pages and refetches the first one. */
  async function startOver(): Promise<void> {
    await queryClient.cancelQueries({ queryKey })
    change(({ pages, pageParams }) => ({
      pages: pages.slice(0, 1),
      pageParams: pageParams.slice(0, 1),
    }))
    await list.refetch({ throwOnError: true })
  }

  /**
   * Fetches what the stream missed. A gap wider than a page restarts the list. Returns whether the search index
   * is still behind. New traces may belong anywhere in a sorted list, which is fetched again.
   */
  async function catchUp(): Promise<boolean> {
    const loaded = await queryClient.infiniteQuery({ ...options, staleTime: 'static' })
    const first = loaded.pages[0]
    if (first === undefined) return false
    if (isSorted) {
      await list.refetch({ cancelRefetch: false, throwOnError: true })
      return false
    }
    const newest = await fetchPage(projectId, first.filters)
    const known = new Set(loaded.pages.flatMap(({ traces }) => traces.map((one) => one.trace_id)))
    const hasNoGap = newest.nextCursor === null || newest.completeFrom !== null
    const meets = hasNoGap || newest.traces.some((one) => known.has(one.trace_id))
    if (meets) change((now) => refreshed(withTraces(now, newest.traces, true), newest))
    else await startOver()
    return (newest.searchLagMs ?? 0) > 0
  }

  const catchUpSoon = useSoon(catchUp, JSON.stringify(queryKey))
  const state: LiveState = useLiveTraces(projectId, {
    isOn: search.live !== 'off',
    onTraces(traces) {
      const loaded = queryClient.getQueryData<LoadedTraces>(queryKey)
      change((now) => withTraces(now, traces))
      const filters = loaded?.pages[0]?.filters ?? {}
      if (isSorted || traces.some((trace) => matchFilters(trace, filters) === 'unknown'))
        catchUpSoon()
    },
    onConnected: catchUp,
  })

  const traces = useMemo(
    (): readonly Trace[] => list.data?.pages.flatMap((page) => page.traces) ?? [],
    [list.data],
  )
  const removeTrace = (traceId: string) => change((now) => withoutTraces(now, new Set([traceId])))
  const putTraces = (traces: readonly Trace[]) => change((now) => withTraces(now, traces))
  const { total = null, searchLagMs = null } = list.data?.pages[0] ?? {}
  const lastPage = list.isFetchNextPageError ? undefined : list.data?.pages.at(-1)
  const completeFrom = lastPage?.completeFrom ?? null
  const searchedBackTo = isSorted ? null : completeFrom
  const sortedBackTo = isSorted ? completeFrom : null
  return {
    ...{ list, traces, total, searchLagMs, searchedBackTo, sortedBackTo },
    // Ignored: the list query reports its own errors.
    startOver: () => void startOver().catch(() => undefined),
    ...{ liveState: state, removeTrace, putTraces },
  }
}

/** The search index usually catches up within this time. */
const debounceMs = 1000

/**
 * Debounces `what`, and repeats it while it returns true. The delay grows with the duration of the last run, so
 * that an expensive request is not repeated back to back.
 */
function useSoon(what: () => Promise<boolean>, key: string): () => void {
  const latest = useRef(what)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tookMs = useRef(0)
  useEffect(() => {
    latest.current = what
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [key],
  )

  async function run(): Promise<void> {
    // Calls made while this run is in flight schedule the next one.
    timer.current = undefined
    const began = performance.now()
    const hasMore = await latest.current().catch(() => false)
    tookMs.current = performance.now() - began
    if (hasMore) soon()
  }
  function soon(): void {
    timer.current ??= setTimeout(() => void run(), debounceMs + 4 * tookMs.current)
  }
  return soon
}

function refreshed(
  loaded: LoadedTraces,
  { total, searchLagMs }: Pick<LoadedTraces['pages'][number], 'total' | 'searchLagMs'>,
): LoadedTraces {
  return { ...loaded, pages: loaded.pages.map((page) => ({ ...page, total, searchLagMs })) }
}
