import { type SearchOf, text } from '@assay/account/routes/search-schema.ts'
import { logFilters } from '@assay/contract/logs.ts'
import type { LogFilters } from '../../api/logs.ts'
import { timedSearchSchema, withFixedTime } from '../../filter/time-range.ts'

/*
 * The state of the logs page, as URL search parameters.
 */

export const logSearch = timedSearchSchema({
  ...logFilters.omit({ span_id: true, from: true, to: true }).shape,
  /** The ID of the expanded record. */
  open: text,
})
export type LogSearch = SearchOf<typeof logSearch>

export function pickFilters({ open: _, ...filters }: LogSearch): Omit<LogSearch, 'open'> {
  return filters
}

export function hasFilters(search: LogSearch): boolean {
  return Object.keys(pickFilters(search)).length > 0
}

/** The filters for the API; a relative range is resolved against `nowMs`. */
export function toLogFilters(search: LogSearch, nowMs: number): LogFilters {
  return withFixedTime(pickFilters(search), nowMs)
}
