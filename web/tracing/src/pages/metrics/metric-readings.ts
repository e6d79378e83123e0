import type { MetricSeries } from '@assay/contract/metrics.ts'

/*
 * The aggregations of a metric by kind, and how they combine across series.
 */

export type Step = MetricSeries['steps'][number]

export const readings = [
  'quantiles',
  'rate',
  'sum',
  'count',
  'avg',
  'min',
  'max',
  'last',
  'p50',
  'p90',
  'p99',
] as const
export type Reading = (typeof readings)[number]
/** One number per step. */
export type SingleReading = Exclude<Reading, 'quantiles'>

export const readingLabels: Readonly<Record<Reading, string>> = {
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
}

type Kind = Pick<MetricSeries, 'kind' | 'is_monotonic'>

/** The aggregations of a metric, the default first. */
export function readingsOf({ kind, is_monotonic }: Kind): readonly Reading[] {
  if (kind === 'gauge' || (kind === 'sum' && !is_monotonic)) return ['avg', 'min', 'max', 'last']
  if (kind === 'sum') return ['rate', 'sum', 'last']
  return ['quantiles', 'p50', 'p90', 'p99', 'avg', 'rate', 'count', 'sum', 'min', 'max']
}

/** Rates, counts and sums are not in the unit of the metric's values. */
export function isInUnit(reading: Reading): boolean {
  return reading !== 'rate' && reading !== 'count' && reading !== 'sum'
}

/** Quantiles cannot be combined without the raw measurements. */
export function canCombine(reading: Reading): boolean {
  return !['quantiles', 'p50', 'p90', 'p99'].includes(reading)
}

/** Combines the same step of several series. */
export function combined(steps: readonly Step[], reading: SingleReading): number | null {
  if (reading === 'avg') return averageOf(steps)
  const values = steps.flatMap((step) => step[reading] ?? [])
  if (values.length === 0) return null
  if (reading === 'min') return values.reduce((a, b) => Math.min(a, b))
  if (reading === 'max') return values.reduce((a, b) => Math.max(a, b))
  return values.reduce((a, b) => a + b)
}

/** Weighted by count if known; gauges have equal weights. */
function averageOf(steps: readonly Step[]): number | null {
  const counted = steps.filter(({ count, sum }) => count !== null && count > 0 && sum !== null)
  if (counted.length > 0) {
    const total = (of: 'count' | 'sum') => counted.reduce((all, step) => all + (step[of] ?? 0), 0)
    return total('sum') / total('count')
  }
  const values = steps.flatMap(({ avg }) => avg ?? [])
  return values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length
}
