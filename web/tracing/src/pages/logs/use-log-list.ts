import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { logsQuery } from '../../api/logs.ts'
import { type LogSearch, pickFilters, toLogFilters } from './log-search.ts'

/** Pauses the search after this many empty pages in a row. */
const maxEmptyPages = 10
/** The number of rows that fill the viewport. */
const fullView = 60

/**
 * The filtered records. The server scans a bounded number of records per page, so a page can be empty and still
 * have a next one: fetches pages until the viewport is full.
 */
export function useLogList(projectId: string, search: LogSearch) {
  const key = pickFilters(search)
  const keyText = JSON.stringify(key)
  const list = useInfiniteQuery(logsQuery(projectId, key, (nowMs) => toLogFilters(search, nowMs)))
  const pages = useMemo(() => list.data?.pages ?? [], [list.data])
  const logs = useMemo(() => pages.flatMap((page) => page.logs), [pages])
  const [resumedAt, setResumedAt] = useState({ keyText, pages: 0 })

  const allowed = (resumedAt.keyText === keyText ? resumedAt.pages : 0) + maxEmptyPages
  const emptyPages = pages.length - 1 - pages.findLastIndex((page) => page.logs.length > 0)
  const isPaused = list.hasNextPage && emptyPages >= allowed
  const canFetchMore = list.hasNextPage && !list.isFetching && !list.isError && !isPaused
  const { fetchNextPage } = list

  useEffect(() => {
    if (canFetchMore && logs.length < fullView) void fetchNextPage({ cancelRefetch: false })
  }, [canFetchMore, logs.length, fetchNextPage])

  return {
    list,
    logs,
    pageCount: pages.length,
    isPaused,
    resume: () => setResumedAt({ keyText, pages: emptyPages }),
  }
}
