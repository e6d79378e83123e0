import type { Trace } from '@assay/contract/traces.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { tracesQuery } from '../../api/traces.ts'
import { findLastList } from '../../parts/last-list.ts'
import { pickList, toListQuery } from '../../parts/trace-search.ts'

export interface ListNeighbors {
  /** The trace above it in the list. */
  readonly previous: Trace | undefined
  readonly next: Trace | undefined
  /** `12 of 340`; `12 of 100+` while the number of matches is unknown. */
  readonly position: string
}

/**
 * The neighbors of the trace in the list that was last open in this tab, as far as it is loaded; undefined if the
 * trace is not in it. At the end of the loaded traces, the next page is loaded.
 */
export function useListNeighbors({ project_id, trace_id }: Trace): ListNeighbors | undefined {
  const [search] = useState(() => findLastList(project_id))
  const list = pickList(search ?? {})
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    ...tracesQuery(project_id, list, (nowMs) => toListQuery(list, nowMs)),
    // Only a list that is loaded already: a shared link to a trace does not fetch one.
    enabled: false,
  })
  const traces = data?.pages.flatMap((page) => page.traces) ?? []
  const at = search === undefined ? -1 : traces.findIndex((one) => one.trace_id === trace_id)
  // A search that has stopped at its limit is continued by the user.
  const isStopped = list.order === undefined && data?.pages.at(-1)?.completeFrom !== null
  const canContinue = hasNextPage && !isStopped
  const isDue = at !== -1 && at === traces.length - 1 && canContinue && !isFetching && !isError
  useEffect(() => {
    if (isDue) void fetchNextPage()
  }, [isDue, fetchNextPage])
  if (at === -1) return undefined
  const total = data?.pages[0]?.total ?? (hasNextPage ? null : traces.length)
  return {
    previous: traces[at - 1],
    next: traces[at + 1],
    position: formatPosition(at + 1, traces.length, total),
  }
}

function formatPosition(position: number, loaded: number, total: number | null): string {
  const count = Math.max(loaded, total ?? 0).toLocaleString('en-US')
  return `${position.toLocaleString('en-US')} of ${count}${total === null ? '+' : ''}`
}
