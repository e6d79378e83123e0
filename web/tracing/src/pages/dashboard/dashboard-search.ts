import type { StatsBucket, StatsQuestion } from '../../api/figures.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { textIn } from '../../search-params.ts'
import { isMeasure, type MeasureId } from './measures.ts'
import { formatOwnCharts, type OwnChart, parseOwnCharts } from './own-charts.ts'

/*
 * What the dashboard shows, as it stands in the address.
 */

export interface DashboardSearch extends TimeSearch {
  readonly bucket?: StatsBucket
  /** What the tables are ranked by; runs unless told. */
  readonly by?: MeasureId
  /** Own charts; absent for those that the person keeps. */
  readonly charts?: string
}

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
export function parseDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const { bucket, charts } = search
  const by = textIn(search, 'by')
  return {
    ...parseTimeSearch(search),
    ...(bucket === 'hour' || bucket === 'day' ? { bucket } : {}),
    ...(by !== undefined && isMeasure(by) ? { by } : {}),
    ...(typeof charts === 'string' ? { charts: formatOwnCharts(parseOwnCharts(charts)) } : {}),
  }
}

/** The time that is shown: a day back from now where the address names none. */
export function timeOf({ range, from, to }: DashboardSearch): TimeSearch {
  if (from === undefined && to === undefined) return { range: range ?? '24h' }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

export function withTime(search: DashboardSearch, time: TimeSearch): DashboardSearch {
  const { range: _, from: __, to: ___, ...rest } = search
  return { ...rest, ...time }
}

/** What to ask the service, a relative range counted back from `nowMs`. */
export function questionOf(search: DashboardSearch, nowMs: number): StatsQuestion {
  const { bucket } = search
  return { ...withFixedTime(timeOf(search), nowMs), ...(bucket === undefined ? {} : { bucket }) }
}

/** The period of the same length that ended where this one begins. */
export function periodBefore({
  from,
  to,
  bucket,
}: Required<StatsQuestion>): Required<StatsQuestion> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return { from: new Date(fromMs - (toMs - fromMs)).toISOString(), to: from, bucket }
}

/** The charts of the address, else those that are kept. */
export function chartsOf({ charts }: DashboardSearch, kept: string): readonly OwnChart[] {
  return parseOwnCharts(charts ?? kept)
}
