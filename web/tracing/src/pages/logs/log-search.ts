import { oneOf, text, textUpTo } from '@assay/account/routes/search-fields.ts'
import { type SearchOf } from '@assay/account/routes/search-schema.ts'
import { limits } from '@assay/contract/limits.ts'
import { severityNames } from '@assay/contract/logs.ts'
import type { LogFilters } from '../../api/logs.ts'
import { timedSearchSchema, withFixedTime } from '../../filter/time-range.ts'

/*
 * The state of the logs page, as URL search parameters.
 */

export const logSearch = timedSearchSchema({
  severity: oneOf(severityNames),
  trace_id: textUpTo(limits.traceIdLength.value),
  service: text,
  event_name: text,
  q: textUpTo(limits.searchLength.value),
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
