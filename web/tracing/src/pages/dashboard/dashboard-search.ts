import { allowEmpty, mapped, oneOf, text, textUpTo } from '@assay/account/routes/search-fields.ts'
import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { type SearchOf } from '@assay/account/routes/search-schema.ts'
import { limits } from '@assay/contract/limits.ts'
import { statsBuckets } from '@assay/contract/stats.ts'
import type { StatsBucket, StatsParams } from '../../api/stats.ts'
import { pickTime, timedSearchSchema, withFixedTime } from '../../filter/time-range.ts'
import { toModeFilter, traceModes } from '../../parts/trace-mode.ts'
import { type CustomChart, formatCustomCharts, parseCustomCharts } from './custom-charts.ts'
import { measureIds } from './measures.ts'
import { type Split, type StatsFilters, splits } from './stats-groups.ts'

/*
 * The state of the dashboard, as URL search parameters.
 */

export const dashboardSearch = timedSearchSchema({
  bucket: oneOf(statsBuckets),
  name: textUpTo(limits.rootNameLength.value),
  model: textUpTo(limits.traceFilterLength.value),
  environment: textUpTo(limits.traceFilterLength.value),
  mode: oneOf(traceModes),
  tag: textUpTo(limits.tagLength.value),
  /** Sorts the tables; defaults to `runs`. */
  by: oneOf(measureIds),
  /** The user's own charts, possibly none; absent for the saved ones. */
  charts: allowEmpty(mapped(text, (codes) => formatCustomCharts(parseCustomCharts(codes)))),
})
export type DashboardSearch = SearchOf<typeof dashboardSearch>

export const defaultRange = '24h'

export function toStatsFilters(search: DashboardSearch): StatsFilters {
  const { name, model, environment, tag, mode } = search
  return omitUndefined({ name, model, environment, tag, mode })
}

/** The filters for the API. */
export function toStatsParams({ mode, ...filters }: StatsFilters): StatsParams {
  return { ...filters, ...toModeFilter(mode) }
}

export function hasFilters(search: DashboardSearch): boolean {
  return splits.some((split) => search[split] !== undefined)
}

export function without(search: DashboardSearch, split: Split): DashboardSearch {
  const { [split]: _, ...rest } = search
  return rest
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

export function getLengthMs(search: DashboardSearch, nowMs: number): number {
  const { from, to } = withFixedTime(pickTime(search, defaultRange), nowMs)
  const toMs = to === undefined ? nowMs : Date.parse(to)
  return from === undefined ? 1440 * minuteMs : toMs - Date.parse(from)
}

/** The chosen bucket if allowed, otherwise one that gives about sixty bars. */
function chooseBucket(search: DashboardSearch, nowMs: number): StatsBucket | undefined {
  const { bucket } = search
  const lengthMs = getLengthMs(search, nowMs)
  if (bucket !== undefined && bucketsFor(lengthMs).includes(bucket)) return bucket
  if (lengthMs <= 60 * minuteMs) return 'minute'
  return lengthMs <= 360 * minuteMs ? '5m' : undefined
}

/** Resolves a relative range against `nowMs`. */
export function toQueryParams(search: DashboardSearch, nowMs: number): StatsParams {
  const bucket = chooseBucket(search, nowMs)
  return {
    ...withFixedTime(pickTime(search, defaultRange), nowMs),
    ...toStatsParams(toStatsFilters(search)),
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
export function parseCharts({ charts }: DashboardSearch, saved: string): readonly CustomChart[] {
  return parseCustomCharts(charts ?? saved)
}
