import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { histogramQuery } from '../../api/histogram.ts'
import { pickFilters, type TraceSearch, toTraceFilters } from '../../parts/trace-search.ts'
import type { MatchCount } from './count-matches.ts'
import { coversExactly, sumCounts, toSlots } from './histogram/histogram-scale.ts'

/** List updates within this time share one refetch. */
const debounceMs = 3000

/**
 * Traces over time for the current filters, refetched shortly after the list changes. With a time range, `counted`
 * is only exact if the range starts and ends with a bucket: they are counted whole.
 */
export function useHistogram(projectId: string, search: TraceSearch, news: unknown) {
  const histogram = useQuery(
    histogramQuery(projectId, pickFilters(search), (nowMs) => toTraceFilters(search, nowMs)),
  )
  const { refetch } = histogram
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastNews = useRef(news)
  useEffect(() => {
    const isFirst = lastNews.current === undefined
    if (lastNews.current === news) return
    lastNews.current = news
    if (isFirst || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void refetch({ cancelRefetch: false })
    }, debounceMs)
  }, [news, refetch])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  const { data, isPlaceholderData } = histogram
  const isWhole = data?.is_complete === true && !isPlaceholderData
  const counted: MatchCount | null = isWhole
    ? { count: sumCounts(toSlots(data)).count, isExact: coversExactly(data, search) }
    : null
  return { histogram, counted }
}
