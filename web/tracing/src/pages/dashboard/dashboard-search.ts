import { statsBuckets } from '@assay/contract/stats.ts'
import type { StatsBucket, StatsParams } from '../../api/stats.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'
import { type CustomChart, formatCustomCharts, parseCustomCharts } from './custom-charts.ts'
import { isMeasure, type MeasureId } from './measures.ts'
import { type StatsFilters, splits } from './stats-groups.ts'

/*
 * What the dashboard shows, as it stands in the address.
 */

export interface DashboardSearch extends TimeSearch, StatsFilters {
  readonly bucket?: StatsBucket
  /** What the tables are ranked by; runs unless told. */
  readonly by?: MeasureId
  /** Own charts; absent for those that the person keeps. */
  readonly charts?: string
}

/** Takes from an address what it understands and drops the rest, so that an old link still opens. */
export function parseDashboardSearch(search: Readonly<Record<string, unknown>>): DashboardSearch {
  const { charts } = search
  const by = parseTextParam(search, 'by')
  const bucket = statsBuckets.find((one) => one === search['bucket'])
  return {
    ...parseTimeSearch(search),
    ...parseFilters(search),
    ...(bucket === undefined ? {} : { bucket }),
    ...(by !== undefined && isMeasure(by) ? { by } : {}),
    ...(typeof charts === 'string'
      ? { charts: formatCustomCharts(parseCustomCharts(charts)) }
      : {}),
  }
}

/** What the figures are narrowed to. */
export function parseFilters(search: Readonly<Record<string, unknown>>): StatsFilters {
  const found = splits.map((split) => [split, parseTextParam(search, split)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/** The same without one of the filters. */
export function without(search: DashboardSearch, split: keyof StatsFilters): DashboardSearch {
  const { [split]: _, ...rest } = search
  return rest
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

const minuteMs = 60_000

/** So long may a time be for buckets to be so narrow: the service says so of minutes, the others would be too many. */
const longestMs: Readonly<Record<StatsBucket, number>> = {
  minute: 360 * minuteMs,
  '5m': 360 * minuteMs,
  hour: 62 * 1440 * minuteMs,
  day: Number.POSITIVE_INFINITY,
}

/** The buckets that a time of such a length may be told in. */
export function bucketsFor(lengthMs: number): readonly StatsBucket[] {
  return statsBuckets.filter((bucket) => lengthMs <= longestMs[bucket])
}

/** How long the time is that is shown. */
export function lengthOf(search: DashboardSearch, nowMs: number): number {
  const { from, to } = withFixedTime(timeOf(search), nowMs)
  const toMs = to === undefined ? nowMs : Date.parse(to)
  return from === undefined ? 1440 * minuteMs : toMs - Date.parse(from)
}

/** The wanted bucket where it fits the time, else one of which there are about sixty. */
function bucketOf(search: DashboardSearch, nowMs: number): StatsBucket | undefined {
  const { bucket } = search
  const lengthMs = lengthOf(search, nowMs)
  if (bucket !== undefined && bucketsFor(lengthMs).includes(bucket)) return bucket
  if (lengthMs <= 60 * minuteMs) return 'minute'
  return lengthMs <= 360 * minuteMs ? '5m' : undefined
}

/** What to ask the service, a relative range counted back from `nowMs`. */
export function toQueryParams(search: DashboardSearch, nowMs: number): StatsParams {
  const bucket = bucketOf(search, nowMs)
  return {
    ...withFixedTime(timeOf(search), nowMs),
    ...parseFilters({ ...search }),
    ...(bucket === undefined ? {} : { bucket }),
  }
}

type Period = Required<Pick<StatsParams, 'from' | 'to' | 'bucket'>>

/** The period of the same length that ended where this one begins. */
export function periodBefore({ from, to, bucket }: Period): Period {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return { from: new Date(fromMs - (toMs - fromMs)).toISOString(), to: from, bucket }
}

/** The charts of the address, else those that are kept. */
export function chartsOf({ charts }: DashboardSearch, saved: string): readonly CustomChart[] {
  return parseCustomCharts(charts ?? saved)
}
