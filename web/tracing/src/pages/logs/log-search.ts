import type { LogFilters } from '../../api/logs.ts'
import { type SeverityName, severityNames } from '../../api/trace-logs.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'

/*
 * The state of the logs page, as URL search parameters.
 */

export interface LogSearch extends TimeSearch {
  /** The minimum severity. */
  readonly severity?: SeverityName
  readonly service?: string
  readonly event_name?: string
  readonly trace_id?: string
  readonly q?: string
  /** The ID of the expanded record. */
  readonly open?: string
}

const texts = ['service', 'event_name', 'trace_id', 'q', 'open'] as const

/** Drops unknown and invalid parameters, so that old links still open. */
export function parseLogSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  const severity = severityNames.find((one) => one === search['severity'])
  const found: Record<string, string> = {}
  for (const name of texts) {
    const value = parseTextParam(search, name)
    if (value !== undefined) found[name] = value
  }
  return { ...parseTimeSearch(search), ...found, ...(severity === undefined ? {} : { severity }) }
}

export function pickFilters({ open: _, ...filters }: LogSearch): Omit<LogSearch, 'open'> {
  return filters
}

export function hasFilters(search: LogSearch): boolean {
  return Object.keys(pickFilters(search)).length > 0
}

/** The filters for the API; a relative range is resolved against `nowMs`. */
export function filtersOf(search: LogSearch, nowMs: number): LogFilters {
  return withFixedTime(pickFilters(search), nowMs)
}

/** Sets or removes a parameter. */
export function withText(
  search: LogSearch,
  name: (typeof texts)[number],
  text: string | undefined,
): LogSearch {
  const { [name]: _, ...rest } = search
  return text === undefined || text === '' ? rest : { ...rest, [name]: text }
}
