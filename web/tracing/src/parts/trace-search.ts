import { type SearchOf, text } from '@assay/account/routes/search-schema.ts'
import { type TraceFilters, traceFilters } from '@assay/contract/traces.ts'
import { z } from 'zod'
import { timedSearchSchema, withFixedTime } from '../filter/time-range.ts'
import { toModeFilter, traceModes } from './trace-mode.ts'

/*
 * The filters and display options of the trace list, as URL search parameters.
 */

/** A trace must have all of them. Never empty, no duplicates. */
const tag = traceFilters.shape.tag.unwrap().transform((given): readonly string[] | undefined => {
  const tags = [...new Set([given].flat())].filter((one) => one !== '')
  return tags.length === 0 ? undefined : tags
})

export const traceSearch = timedSearchSchema({
  ...traceFilters.omit({ from: true, to: true }).shape,
  tag,
  mode: z.enum(traceModes),
  /** Comma-separated column IDs; absent for the user's last choice. */
  columns: text,
  /** Present when live updates are paused. */
  live: z.literal('off'),
})
export type TraceSearch = SearchOf<typeof traceSearch>
export type TraceListFilters = Omit<TraceSearch, 'columns' | 'live'>

/** The filters alone, without the display options. */
export function pickFilters({ live: _, columns: __, ...filters }: TraceSearch): TraceListFilters {
  return filters
}

/** The mode is no filter: the page always has one. */
export function hasFilters(search: TraceSearch): boolean {
  const { mode: _, ...filters } = pickFilters(search)
  return Object.keys(filters).length > 0
}

/** The mode and the display options, without filters. */
export function withoutFilters({ mode, live, columns }: TraceSearch): TraceSearch {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(columns === undefined ? {} : { columns }),
    ...(live === undefined ? {} : { live }),
  }
}

/** The filters for the API; a relative range is resolved against `nowMs`. */
export function toTraceFilters(search: TraceSearch, nowMs: number): TraceFilters {
  const { tag, mode, ...rest } = withFixedTime(pickFilters(search), nowMs)
  return { ...rest, ...toModeFilter(mode), ...(tag === undefined ? {} : { tag: [...tag] }) }
}
