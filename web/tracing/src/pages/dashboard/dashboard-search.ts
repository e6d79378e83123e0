import type { StatsBucket, StatsQuestion } from '../../api/figures.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'

/*
 * What the dashboard shows, as it stands in the address.
 */

export interface DashboardSearch extends TimeSearch {
  readonly bucket?: StatsBucket
}

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
export function parseDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const { bucket } = search
  return {
    ...parseTimeSearch(search),
    ...(bucket === 'hour' || bucket === 'day' ? { bucket } : {}),
  }
}

/** The time that is shown: a day back from now where the address names none. */
export function timeOf({ range, from, to }: DashboardSearch): TimeSearch {
  if (from === undefined && to === undefined) return { range: range ?? '24h' }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** What to ask the service, a relative range counted back from `nowMs`. */
export function questionOf(search: DashboardSearch, nowMs: number): StatsQuestion {
  const { bucket } = search
  return { ...withFixedTime(timeOf(search), nowMs), ...(bucket === undefined ? {} : { bucket }) }
}
