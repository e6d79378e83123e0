import type { MetricSeries } from '@assay/contract/metrics.ts'

/*
 * What can be read off the steps of a series, by what it measures, and how readings of several series come
 * together in one.
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
/** A reading that is one number a step. */
export type SingleReading = Exclude<Reading, 'quantiles'>

export const readingLabels: Readonly<Record<Reading, string>> = {
  quantiles: 'p50, p90 and p99',
  rate: 'Rate a second',
  sum: 'Added in the step',
  count: 'Measurements',
  avg: 'Average',
  min: 'Smallest',
  max: 'Greatest',
  last: 'Newest value',
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
}

type Kind = Pick<MetricSeries, 'kind' | 'is_monotonic'>

/** What a metric can show, the most telling first. */
export function readingsOf({ kind, is_monotonic }: Kind): readonly Reading[] {
  if (kind === 'gauge' || (kind === 'sum' && !is_monotonic)) return ['avg', 'min', 'max', 'last']
  if (kind === 'sum') return ['rate', 'sum', 'last']
  return ['quantiles', 'p50', 'p90', 'p99', 'avg', 'rate', 'count', 'sum', 'min', 'max']
}

/** Whether a reading is in the unit of the metric: a rate is a second, a count is of measurements. */
export function isInUnit(reading: Reading): boolean {
  return reading !== 'rate' && reading !== 'count' && reading !== 'sum'
}

/** Quantiles of several series do not come together in one: that would need the measurements themselves. */
export function canCombine(reading: Reading): boolean {
  return !['quantiles', 'p50', 'p90', 'p99'].includes(reading)
}

/** The reading of the same step of several series. */
export function combined(steps: readonly Step[], reading: SingleReading): number | null {
  if (reading === 'avg') return averageOf(steps)
  const values = steps.flatMap((step) => step[reading] ?? [])
  if (values.length === 0) return null
  if (reading === 'min') return values.reduce((a, b) => Math.min(a, b))
  if (reading === 'max') return values.reduce((a, b) => Math.max(a, b))
  return values.reduce((a, b) => a + b)
}

/** Weighed by the measurements where those are counted; gauges weigh the same each. */
function averageOf(steps: readonly Step[]): number | null {
  const counted = steps.filter(({ count, sum }) => count !== null && count > 0 && sum !== null)
  if (counted.length > 0) {
    const total = (of: 'count' | 'sum') => counted.reduce((all, step) => all + (step[of] ?? 0), 0)
    return total('sum') / total('count')
  }
  const values = steps.flatMap(({ avg }) => avg ?? [])
  return values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length
}
