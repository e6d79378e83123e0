import type { AlertFilters } from '@assay/contract/alerts.ts'
import { limits } from '@assay/contract/limits.ts'
import { bucketStart } from '../../domain/time-buckets.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { Scores } from '../../storage/telemetry/port/scores.ts'
import type { AggregateStats, StatsReads } from '../../storage/telemetry/port/stats.ts'
import { toStatsFilters } from '../../storage/telemetry/port/stats-filters.ts'
import type { Measurement } from './rule-status.ts'

/*
 * Reads what an alert rule watches.
 */

export type AlertReads = Pick<StatsReads & Scores, 'readStats' | 'readScoreStats'>

const minute = 60_000_000_000n
const hour = 60n * minute
const day = 24n * hour

export async function measure(
  rule: AlertRuleRow,
  now: Date,
  telemetry: AlertReads,
  options: ReadOptions,
): Promise<Measurement> {
  const nowNanos = BigInt(now.getTime()) * 1_000_000n
  if (rule.metric === 'score_mean') return await measureScores(rule, nowNanos, telemetry, options)
  const query = {
    ...toRange(rule, nowNanos),
    filters: toStatsFilters(JSON.parse(rule.filters) as AlertFilters),
    scanLimit: limits.statsTraces.value,
  }
  const { total } = await telemetry.readStats(rule.project_id, query, options)
  return { value: toValue(rule, total), count: total.count }
}

/** From 6 hours on, whole hours, of which any number of traces is counted. */
function toRange({ metric, window_minutes }: AlertRuleRow, now: bigint) {
  const window = BigInt(window_minutes) * minute
  const bucketNanos = metric === 'cost_per_day' || window >= 6n * hour ? hour : minute
  const to = bucketStart(now, bucketNanos) + bucketNanos
  const from = metric === 'cost_per_day' ? bucketStart(now, day) : to - window
  return { from, to, bucketNanos }
}

function toValue({ metric }: AlertRuleRow, total: AggregateStats): number | null {
  switch (metric) {
    case 'cost_per_day':
      return total.costUsd
    case 'no_data':
      return total.count
    case 'latency_p90':
      return total.latencyMs.p90
    default:
      return total.count === 0 ? null : total.errors / total.count
  }
}

/** Of all evaluators and people that scored under the name. */
async function measureScores(
  rule: AlertRuleRow,
  now: bigint,
  telemetry: AlertReads,
  options: ReadOptions,
): Promise<Measurement> {
  const query = {
    from: now - BigInt(rule.window_minutes) * minute,
    // Scores of this millisecond too.
    to: now + 1_000_000n,
    ...{ bucketNanos: day, scanLimit: limits.scoresCounted.value },
  }
  const { groups } = await telemetry.readScoreStats(rule.project_id, query, options)
  const buckets = groups.flatMap(({ name, buckets }) => (name === rule.score_name ? buckets : []))
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const total = buckets.reduce((sum, bucket) => sum + (bucket.mean ?? 0) * bucket.count, 0)
  return { value: count === 0 ? null : total / count, count }
}
