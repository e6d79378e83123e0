import { limits } from '@assay/contract/limits.ts'
import type { Buckets, Distribution } from './metric.ts'

/*
 * Arithmetic on histograms. A distribution is a list of intervals with a count each; values are assumed to
 * be uniformly distributed within an interval.
 */

export interface Interval {
  /** -Infinity and Infinity where the histogram has no bound. */
  readonly lower: number
  readonly upper: number
  readonly count: number
}

/** The non-empty buckets of either kind of histogram. */
export function listIntervals(distribution: Distribution): Interval[] {
  const { bounds, counts, zeroCount, zeroThreshold, scale, positive, negative } = distribution
  const explicit = counts.map((count, index) => ({
    lower: bounds[index - 1] ?? -Infinity,
    upper: bounds[index] ?? Infinity,
    count,
  }))
  const zero = { lower: -zeroThreshold, upper: zeroThreshold, count: zeroCount }
  const above = exponential(positive, scale)
  const below = exponential(negative, scale).map(({ lower, upper, count }) => ({
    lower: -upper,
    upper: -lower,
    count,
  }))
  return [...explicit, zero, ...above, ...below].filter(({ count }) => count > 0)
}

function exponential({ offset, counts }: Buckets, scale: number): Interval[] {
  const edge = (index: number) => 2 ** (index * 2 ** -scale)
  return counts.map((count, index) => ({
    lower: edge(offset + index),
    upper: edge(offset + index + 1),
    count,
  }))
}

/**
 * The difference between two points of a cumulative series; undefined when the later one does not continue
 * the earlier, because a count decreased or the buckets differ.
 */
export function computeIncrease(now: Distribution, before: Distribution): Distribution | undefined {
  if (now.count < before.count || !isSame(now.bounds, before.bounds)) return undefined
  if (now.counts.length !== before.counts.length) return undefined
  const counts = now.counts.map((count, index) => count - (before.counts[index] ?? 0))
  if (counts.some((count) => count < 0)) return undefined
  const scale = Math.min(now.scale, before.scale)
  return {
    ...now,
    count: now.count - before.count,
    sum: now.sum === null || before.sum === null ? null : now.sum - before.sum,
    // They cover the whole time since the start, so they say nothing about this interval.
    min: null,
    max: null,
    counts,
    scale,
    zeroCount: Math.max(0, now.zeroCount - before.zeroCount),
    positive: bucketIncrease(scaled(now, 'positive', scale), scaled(before, 'positive', scale)),
    negative: bucketIncrease(scaled(now, 'negative', scale), scaled(before, 'negative', scale)),
  }
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** The buckets at a coarser scale: each step down merges pairs of buckets. */
function scaled(of: Distribution, side: 'positive' | 'negative', scale: number): Buckets {
  const { offset, counts } = of[side]
  const times = 2 ** (of.scale - scale)
  if (times === 1 || counts.length === 0) return of[side]
  const first = Math.floor(offset / times)
  const merged: number[] = []
  for (const [index, count] of counts.entries()) {
    const at = Math.floor((offset + index) / times) - first
    merged[at] = (merged[at] ?? 0) + count
  }
  return { offset: first, counts: merged }
}

function bucketIncrease(now: Buckets, before: Buckets): Buckets {
  const counts = now.counts.map((count, index) => {
    const earlier = before.counts[now.offset + index - before.offset] ?? 0
    // Values near zero may have moved to the zero bucket when its threshold grew.
    return Math.max(0, count - earlier)
  })
  return { offset: now.offset, counts }
}

/** The intervals of several points, with equal ones merged. Without quantiles if too many of them differ. */
export class IntervalCounter {
  readonly #intervals = new Map<string, { lower: number; upper: number; count: number }>()

  add(intervals: readonly Interval[]): void {
    for (const { lower, upper, count } of intervals) {
      if (this.#isFull) return
      const key = `${lower} ${upper}`
      const known = this.#intervals.get(key)
      if (known === undefined) this.#intervals.set(key, { lower, upper, count })
      else known.count += count
    }
  }

  get #isFull(): boolean {
    return this.#intervals.size > limits.bucketsPerStep.value
  }

  /** The value of each quantile; undefined when nothing was added, or too much. */
  quantiles(
    quantiles: readonly number[],
    { min, max }: { readonly min: number | null; readonly max: number | null },
  ): number[] | undefined {
    if (this.#isFull) return undefined
    const bounded = [...this.#intervals.values()].map((each) => bound(each, min, max))
    const total = bounded.reduce((sum, { count }) => sum + count, 0)
    if (total === 0) return undefined
    const edges = Float64Array.from(
      new Set(bounded.flatMap(({ lower, upper }) => [lower, upper])),
    ).sort()
    return quantiles.map((quantile) => {
      const value = valueAt(bounded, edges, quantile * total)
      return Math.max(min ?? -Infinity, Math.min(max ?? Infinity, value))
    })
  }
}

/** The outermost buckets have only one bound: min and max replace the other. */
function bound(
  { lower, upper, count }: Interval,
  min: number | null,
  max: number | null,
): Interval {
  if (lower === -Infinity && upper === Infinity) {
    const only = min ?? max ?? 0
    return { lower: only, upper: Math.max(only, max ?? only), count }
  }
  if (lower === -Infinity)
    return { lower: Math.min(upper, min ?? Math.min(0, upper)), upper, count }
  if (upper === Infinity) return { lower, upper: Math.max(lower, max ?? lower), count }
  return { lower, upper, count }
}

/**
 * The value with `rank` values below it. Points may have different buckets, so the intervals may overlap: a binary
 * search over their sorted edges.
 */
function valueAt(intervals: readonly Interval[], edges: Float64Array, rank: number): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (countUpTo(intervals, edges[middle]!) >= rank) high = middle
    else low = middle + 1
  }
  const edge = edges[low]!
  const lower = edges[low - 1]
  const below = countBelow(intervals, edge)
  if (lower === undefined || below < rank) return edge
  const first = countUpTo(intervals, lower)
  return lower + ((rank - first) / (below - first)) * (edge - lower)
}

function countUpTo(intervals: readonly Interval[], value: number): number {
  return countBelow(intervals, value, true)
}

/** Intervals without width hold a single value. */
function countBelow(intervals: readonly Interval[], value: number, isIncluded = false): number {
  return intervals.reduce((sum, { lower, upper, count }) => {
    if (upper < value || (upper === value && (isIncluded || lower < upper))) return sum + count
    return value <= lower ? sum : sum + count * ((value - lower) / (upper - lower))
  }, 0)
}
