import type { Trace } from '@assay/contract/traces.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { traceQuery } from '../../api/traces.ts'
import { buildTree, type SpanTree } from '../../spans/span-tree.ts'

export interface WholeTrace {
  readonly trace: Trace | undefined
  readonly tree: SpanTree
  readonly loadedCount: number
  readonly isComplete: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Loads a trace with all its spans, page by page. */
export function useWholeTrace(projectId: string, traceId: string): WholeTrace {
  const query = useInfiniteQuery(traceQuery(projectId, traceId))
  const { hasNextPage, isFetching, isError, fetchNextPage, refetch } = query
  const shouldFetchMore = hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (shouldFetchMore) void fetchNextPage()
  }, [shouldFetchMore, fetchNextPage])

  const pages = query.data?.pages
  const spans = useMemo(() => pages?.flatMap((page) => page.spans) ?? [], [pages])
  const deferred = useDeferredValue(spans)
  const tree = useMemo(() => buildTree(deferred), [deferred])
  return {
    trace: pages?.[0]?.trace,
    tree,
    loadedCount: spans.length,
    isComplete: query.isSuccess && !hasNextPage && deferred === spans,
    error: query.error,
    retry: () => void (pages === undefined ? refetch() : fetchNextPage()),
  }
}
