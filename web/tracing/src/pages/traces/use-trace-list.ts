import type { Trace } from '@assay/contract/traces.ts'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { LiveState } from '../../api/live-traces.ts'
import { fetchPage, type LoadedTraces, tracesQuery } from '../../api/traces.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'
import { matchFilters, withoutTraces, withTraces } from './live-list.ts'
import { filtersOf, pickFilters, type TraceSearch } from './trace-search.ts'

/** The list as the address narrows it, kept true by the live stream while that is on. */
export function useTraceList(projectId: string, search: TraceSearch) {
  const queryClient = useQueryClient()
  const options = tracesQuery(projectId, pickFilters(search), (nowMs) => filtersOf(search, nowMs))
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const { queryKey } = options

  function change(how: (loaded: LoadedTraces) => LoadedTraces): void {
    queryClient.setQueryData<LoadedTraces>(queryKey, (loaded) => loaded && how(loaded))
  }

  /** The newest page anew, in place of all that was loaded. */
  async function startOver(): Promise<void> {
    await queryClient.cancelQueries({ queryKey })
    change(({ pages, pageParams }) => ({
      pages: pages.slice(0, 1),
      pageParams: pageParams.slice(0, 1),
    }))
    await list.refetch()
  }

  /**
   * Fetches what happened while nobody listened. A gap wider than a page begins the list anew. Tells whether the
   * index of words has yet to take in something that was stored before.
   */
  async function catchUp(): Promise<boolean> {
    const loaded = await queryClient.infiniteQuery({ ...options, staleTime: 'static' })
    const first = loaded.pages[0]
    if (first === undefined) return false
    const newest = await fetchPage(projectId, first.filters)
    const known = new Set(loaded.pages.flatMap(({ traces }) => traces.map((one) => one.trace_id)))
    const meets = newest.nextCursor === null || newest.traces.some((one) => known.has(one.trace_id))
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
      if (traces.some((trace) => matchFilters(trace, filters) === 'unknown')) catchUpSoon()
    },
    // A failure is no news: the stream tries again, and the list's own requests tell of trouble.
    onConnected: () => void catchUp().catch(() => undefined),
  })

  const traces = useMemo(
    (): readonly Trace[] => list.data?.pages.flatMap((page) => page.traces) ?? [],
    [list.data],
  )
  const removeTrace = (traceId: string) => change((now) => withoutTraces(now, new Set([traceId])))
  const { total = null, searchLagMs = null } = list.data?.pages[0] ?? {}
  return { list, traces, total, searchLagMs, liveState: state, startOver, removeTrace }
}

/** The index of words follows within this time, as a rule. */
const debounceMs = 1000

/**
 * Does something once for all that asked for it within a moment, and again while it answers that there will be
 * more. The longer it takes, the longer it waits, so that a dear question is not asked all the time.
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
    // Who asks from here on may have missed what is being fetched, and is served by the next time.
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
