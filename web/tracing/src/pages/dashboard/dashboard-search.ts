import { statsBuckets } from '@assay/contract/stats.ts'
import type { StatsBucket, StatsParams } from '../../api/stats.ts'
import { parseTimeSearch, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'
import { parseTextParam } from '../../search-params.ts'
import { type CustomChart, formatCustomCharts, parseCustomCharts } from './custom-charts.ts'
import { isMeasure, type MeasureId } from './measures.ts'
import { type StatsFilters, splits } from './stats-groups.ts'

/*
 * The state of the dashboard, as URL search parameters.
 */

export interface DashboardSearch extends TimeSearch, StatsFilters {
  readonly bucket?: StatsBucket
  /** Sorts the tables; defaults to `runs`. */
  readonly by?: MeasureId
  /** The user's own charts; absent for the saved ones. */
  readonly charts?: string
}

/** Drops unknown and invalid parameters, so that old links still open. */
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

export function parseFilters(search: Readonly<Record<string, unknown>>): StatsFilters {
  const found = splits.map((split) => [split, parseTextParam(search, split)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

export function without(search: DashboardSearch, split: keyof StatsFilters): DashboardSearch {
  const { [split]: _, ...rest } = search
  return rest
}

/** Defaults to the last 24 hours. */
export function timeOf({ range, from, to }: DashboardSearch): TimeSearch {
  if (from === undefined && to === undefined) return { range: range ?? '24h' }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

export function withTime(search: DashboardSearch, time: TimeSearch): DashboardSearch {
  const { range: _, from: __, to: ___, ...rest } = search
  return { ...rest, ...time }
}

const minuteMs = 60_000

/** The longest range for each bucket: a server limit for minutes, otherwise to limit the number of bars. */
const longestMs: Readonly<Record<StatsBucket, number>> = {
  minute: 360 * minuteMs,
  '5m': 360 * minuteMs,
  hour: 62 * 1440 * minuteMs,
  day: Number.POSITIVE_INFINITY,
}

/** The buckets allowed for a range of this length. */
export function bucketsFor(lengthMs: number): readonly StatsBucket[] {
  return statsBuckets.filter((bucket) => lengthMs <= longestMs[bucket])
}

export function lengthOf(search: DashboardSearch, nowMs: number): number {
  const { from, to } = withFixedTime(timeOf(search), nowMs)
  const toMs = to === undefined ? nowMs : Date.parse(to)
  return from === undefined ? 1440 * minuteMs : toMs - Date.parse(from)
}

/** The chosen bucket if allowed, otherwise one that gives about sixty bars. */
function bucketOf(search: DashboardSearch, nowMs: number): StatsBucket | undefined {
  const { bucket } = search
  const lengthMs = lengthOf(search, nowMs)
  if (bucket !== undefined && bucketsFor(lengthMs).includes(bucket)) return bucket
  if (lengthMs <= 60 * minuteMs) return 'minute'
  return lengthMs <= 360 * minuteMs ? '5m' : undefined
}

/** Resolves a relative range against `nowMs`. */
export function toQueryParams(search: DashboardSearch, nowMs: number): StatsParams {
  const bucket = bucketOf(search, nowMs)
  return {
    ...withFixedTime(timeOf(search), nowMs),
    ...parseFilters({ ...search }),
    ...(bucket === undefined ? {} : { bucket }),
  }
}

type Period = Required<Pick<StatsParams, 'from' | 'to' | 'bucket'>>

/** The previous period of the same length. */
export function periodBefore({ from, to, bucket }: Period): Period {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return { from: new Date(fromMs - (toMs - fromMs)).toISOString(), to: from, bucket }
}

/** The charts in the URL, otherwise the saved ones. */
export function chartsOf({ charts }: DashboardSearch, saved: string): readonly CustomChart[] {
  return parseCustomCharts(charts ?? saved)
}
