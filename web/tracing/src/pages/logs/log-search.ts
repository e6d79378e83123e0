import { severityName } from '@assay/contract/logs.ts'
import type { LogFilters } from '../../api/logs.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'

/*
 * What the logs are narrowed by, and the record that is open, as they stand in the address.
 */

export interface LogSearch extends TimeSearch {
  /** At least so severe. */
  readonly severity?: Severity
  readonly service?: string
  readonly event_name?: string
  readonly trace_id?: string
  readonly q?: string
  /** The id of the record whose details show. */
  readonly open?: string
}

export type Severity = (typeof severities)[number]
export const severities = severityName.options

const texts = ['service', 'event_name', 'trace_id', 'q', 'open'] as const

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
export function parseLogSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  const severity = severities.find((one) => one === search['severity'])
  const found: Record<string, string> = {}
  for (const name of texts) {
    const value = parseTextParam(search, name)
    if (value !== undefined) found[name] = value
  }
  return { ...parseTimeSearch(search), ...found, ...(severity === undefined ? {} : { severity }) }
}

/** The members that narrow the list. */
export function pickFilters({ open: _, ...filters }: LogSearch): Omit<LogSearch, 'open'> {
  return filters
}

export function hasFilters(search: LogSearch): boolean {
  return Object.keys(pickFilters(search)).length > 0
}

/** The filters to ask the service with, a relative range counted back from `nowMs`. */
export function filtersOf(search: LogSearch, nowMs: number): LogFilters {
  return withFixedTime(pickFilters(search), nowMs)
}

/** The search with one text filter set anew, or without it. */
export function withText(
  search: LogSearch,
  name: (typeof texts)[number],
  text: string | undefined,
): LogSearch {
  const { [name]: _, ...rest } = search
  return text === undefined || text === '' ? rest : { ...rest, [name]: text }
}
