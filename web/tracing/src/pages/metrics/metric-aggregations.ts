import type { MetricSeries } from '@assay/contract/metrics.ts'

/*
 * The aggregations of a metric by kind, and how they combine across series.
 */

export type Step = MetricSeries['steps'][number]

export const aggregationLabels = {
  quantiles: 'p50, p90 and p99',
  rate: 'Rate per second',
  sum: 'Increase',
  count: 'Count',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
  last: 'Latest value',
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
} as const

export type Aggregation = keyof typeof aggregationLabels
/** One number per step. */
export type SingleAggregation = Exclude<Aggregation, 'quantiles'>

type Kind = Pick<MetricSeries, 'kind' | 'is_monotonic'>

/** The aggregations of a metric, the default first. */
export function listAggregations({ kind, is_monotonic }: Kind): readonly Aggregation[] {
  if (kind === 'gauge' || (kind === 'sum' && !is_monotonic)) return ['avg', 'min', 'max', 'last']
  if (kind === 'sum') return ['rate', 'sum', 'last']
  return ['quantiles', 'p50', 'p90', 'p99', 'avg', 'rate', 'count', 'sum', 'min', 'max']
}

/** Rates, counts and sums are not in the unit of the metric's values. */
export function isInUnit(aggregation: Aggregation): boolean {
  return aggregation !== 'rate' && aggregation !== 'count' && aggregation !== 'sum'
}

/** Quantiles cannot be combined without the raw measurements. */
export function canCombine(aggregation: Aggregation): boolean {
  return !['quantiles', 'p50', 'p90', 'p99'].includes(aggregation)
}

/** Combines the same step of several series. */
export function combined(steps: readonly Step[], aggregation: SingleAggregation): number | null {
  if (aggregation === 'avg') return computeAverage(steps)
  const values = steps.flatMap((step) => step[aggregation] ?? [])
  if (values.length === 0) return null
  if (aggregation === 'min') return Math.min(...values)
  if (aggregation === 'max') return Math.max(...values)
  return values.reduce((a, b) => a + b)
}

/** Weighted by count if known; gauges have equal weights. */
function computeAverage(steps: readonly Step[]): number | null {
  const counted = steps.filter(({ count, sum }) => count !== null && count > 0 && sum !== null)
  if (counted.length > 0) {
    const total = (of: 'count' | 'sum') => counted.reduce((all, step) => all + (step[of] ?? 0), 0)
    return total('sum') / total('count')
  }
  const values = steps.flatMap(({ avg }) => avg ?? [])
  return values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length
}
