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

/** The intervals of several points, with equal ones merged. */
export class IntervalCounter {
  readonly #intervals = new Map<string, { lower: number; upper: number; count: number }>()

  add(intervals: readonly Interval[]): void {
    for (const { lower, upper, count } of intervals) {
      const key = `${lower} ${upper}`
      const known = this.#intervals.get(key)
      if (known === undefined) this.#intervals.set(key, { lower, upper, count })
      else known.count += count
    }
  }

  /** The value of each quantile; undefined when nothing was added. */
  quantiles(
    quantiles: readonly number[],
    { min, max }: { readonly min: number | null; readonly max: number | null },
  ): number[] | undefined {
    const bounded = [...this.#intervals.values()].map((each) => bound(each, min, max))
    const segments = disjoint(bounded)
    const total = segments.reduce((sum, { count }) => sum + count, 0)
    if (total === 0) return undefined
    return quantiles.map((quantile) => {
      const value = valueAt(segments, quantile * total)
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

/** The same as sorted intervals without overlaps: points may have different buckets. */
function disjoint(intervals: readonly Interval[]): Interval[] {
  const edges = [...new Set(intervals.flatMap(({ lower, upper }) => [lower, upper]))].sort(
    (a, b) => a - b,
  )
  const indexes = new Map(edges.map((edge, index) => [edge, index]))
  const within = edges.map(() => 0)
  const at = edges.map(() => 0)
  for (const { lower, upper, count } of intervals) {
    const first = indexes.get(lower) ?? 0
    const last = indexes.get(upper) ?? 0
    if (first === last) at[first]! += count
    for (let index = first; index < last; index++) {
      within[index]! += (count * (edges[index + 1]! - edges[index]!)) / (upper - lower)
    }
  }
  return edges.flatMap((edge, index) => [
    { lower: edge, upper: edge, count: at[index]! },
    { lower: edge, upper: edges[index + 1] ?? edge, count: within[index]! },
  ])
}

function valueAt(segments: readonly Interval[], rank: number): number {
  let below = 0
  let last = 0
  for (const { lower, upper, count } of segments) {
    if (count === 0) continue
    last = upper
    if (below + count >= rank) return lower + ((rank - below) / count) * (upper - lower)
    below += count
  }
  return last
}
