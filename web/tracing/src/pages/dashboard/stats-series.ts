import { type ChartFrame, type ChartSeries, everyStep } from '@assay/ui/chart-series.ts'
import type { Stats } from '../../api/stats.ts'
import { type Aggregates, type Measure, sumAggregates } from './measures.ts'

/*
 * Stats as time series.
 */

const bucketMs = { minute: 60_000, '5m': 300_000, hour: 3_600_000, day: 86_400_000 } as const

/** Rounded out to whole buckets: days start at midnight UTC. */
export function toChartFrame({
  from,
  to,
  bucket,
}: Pick<Stats, 'from' | 'to' | 'bucket'>): ChartFrame {
  const stepMs = bucketMs[bucket]
  return {
    from: Math.floor(Date.parse(from) / stepMs) * stepMs,
    to: Math.ceil(Date.parse(to) / stepMs) * stepMs,
    stepMs,
  }
}

/** The part of a bucket inside the range. */
export function timeOfStep(stats: Pick<Stats, 'from' | 'to' | 'bucket'>, at: number) {
  const from = Math.max(at, Date.parse(stats.from))
  const to = Math.min(at + toChartFrame(stats).stepMs, Date.parse(stats.to))
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

function toAggregates({ trace_count, ...aggregates }: Stats['buckets'][number]): Aggregates {
  return { ...aggregates, count: trace_count }
}

/** Without quantiles, which cannot be summed. */
export function sumBuckets({ buckets }: Stats): Aggregates {
  return sumAggregates(buckets.map(toAggregates))
}

/** One point per bucket, including empty ones. */
export function toSeries(
  stats: Stats,
  { of, emptyValue }: Pick<Measure, 'of' | 'emptyValue'>,
  look: Omit<ChartSeries, 'points'>,
): ChartSeries {
  const values = new Map(
    stats.buckets.map((one) => [Date.parse(one.started_at), of(toAggregates(one))]),
  )
  return { ...look, points: everyStep(toChartFrame(stats), values, emptyValue) }
}
