import type { Trace } from '@assay/contract/traces.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { traceQuery } from '../../api/traces.ts'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'

export interface WholeTrace {
  readonly trace: Trace
  readonly tree: SpanTree
  readonly loadedCount: number
  readonly isComplete: boolean
}

/** A trace with all its spans, loaded page by page; `loaded` is undefined until the first page. */
export function useWholeTrace(projectId: string, traceId: string) {
  const query = useInfiniteQuery(traceQuery(projectId, traceId))
  const { hasNextPage, isFetching, isError, fetchNextPage, refetch, error } = query
  const shouldFetchMore = hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])

  const pages = query.data?.pages
  const spans = useMemo(() => pages?.flatMap((page) => page.spans) ?? [], [pages])
  const deferred = useDeferredValue(spans)
  const tree = useMemo(() => buildTree(deferred), [deferred])
  const trace = pages?.[0]?.trace
  const isComplete = query.isSuccess && !hasNextPage && deferred === spans
  const loaded: WholeTrace | undefined = trace && {
    trace,
    tree,
    loadedCount: spans.length,
    isComplete,
  }
  return { loaded, error, retry: () => void (trace === undefined ? refetch() : fetchNextPage()) }
}
