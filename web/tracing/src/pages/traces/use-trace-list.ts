import type { Trace } from '@assay/contract/traces.ts'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveState } from '../../api/live-traces.ts'
import { fetchPage, type LoadedTraces, tracesQuery } from '../../api/traces.ts'
import { useLiveTraces } from '../../api/use-live-traces.ts'
import { withTraces } from './live-list.ts'
import { filtersOf, narrowing, type TraceSearch } from './trace-search.ts'

/** The list as the address narrows it, kept true by the live stream while that is on. */
export function useTraceList(projectId: string, search: TraceSearch) {
  const queryClient = useQueryClient()
  const options = tracesQuery(projectId, narrowing(search), (nowMs) => filtersOf(search, nowMs))
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

  /** Fetches what happened while nobody listened. A gap wider than a page begins the list anew. */
  async function catchUp(): Promise<void> {
    const loaded = await queryClient.infiniteQuery({ ...options, staleTime: 'static' })
    const first = loaded.pages[0]
    if (first === undefined) return
    const newest = await fetchPage(projectId, first.filters)
    const known = new Set(loaded.pages.flatMap(({ traces }) => traces.map((one) => one.trace_id)))
    const meets = newest.nextCursor === null || newest.traces.some((one) => known.has(one.trace_id))
    if (!meets) return startOver()
    change((now) => withTotal(withTraces(now, newest.traces), newest.total))
  }

  const state: LiveState = useLiveTraces(projectId, {
    isOn: search.live !== 'off',
    onTraces: (traces) => change((loaded) => withTraces(loaded, traces)),
    // A failure is no news: the stream tries again, and the list's own requests tell of trouble.
    onConnected: () => void catchUp().catch(() => undefined),
  })

  const traces = useMemo(
    (): readonly Trace[] => list.data?.pages.flatMap((page) => page.traces) ?? [],
    [list.data],
  )
  return { list, traces, total: list.data?.pages[0]?.total ?? null, liveState: state, startOver }
}

function withTotal(loaded: LoadedTraces, total: number | null): LoadedTraces {
  return { ...loaded, pages: loaded.pages.map((page) => ({ ...page, total })) }
}
