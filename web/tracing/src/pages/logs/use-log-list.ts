import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { logsQuery } from '../../api/logs.ts'
import { filtersOf, type LogSearch, pickFilters } from './log-search.ts'

/** So many pages in a row may bring nothing before the person is asked whether to look on. */
const maxEmptyPages = 10
/** A list of so few rows leaves room in the view for more. */
const fullView = 60

/**
 * The records that the address narrows to. A page looks through a bounded stretch and may bring few or none
 * and yet go on, so the next is fetched until the view is full.
 */
export function useLogList(projectId: string, search: LogSearch) {
  const key = pickFilters(search)
  const keyText = JSON.stringify(key)
  const list = useInfiniteQuery(logsQuery(projectId, key, (nowMs) => filtersOf(search, nowMs)))
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
    fetchMore: () => {
      if (canFetchMore) void fetchNextPage({ cancelRefetch: false })
    },
  }
}
