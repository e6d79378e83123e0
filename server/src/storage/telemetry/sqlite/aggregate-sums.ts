import { limits } from '@assay/contract/limits.ts'
import { estimateQuantile } from '../../../domain/latency-sketch.ts'
import type { RollupDimensions } from '../aggregates/rollup-dimensions.ts'
import type { Aggregates } from '../aggregates/trace-rollup.ts'
import type { AggregateStats } from '../port/stats.ts'

/*
 * Sums aggregates by the values they are reported for.
 */

export type Dimensions = 'bucket' | 'name' | 'environment' | 'model' | 'tag'

/** As stored: latencies are a JSON array of buckets and counts. */
export interface AddedAggregates extends Omit<Aggregates, 'latencies'> {
  readonly latencies: ReadonlyMap<number, number> | string
}

export interface AggregateSums {
  add(dimension: Dimensions, value: string, aggregates: AddedAggregates): void
  /** Traces of one cell; the bucket is left out. */
  addDimensions(dimensions: RollupDimensions, aggregates: AddedAggregates): void
  /** All, unordered. */
  all(dimension: Dimensions): readonly AggregateRow[]
  /** Of all buckets. */
  total(): AggregateStats
  /** Those with the highest counts. */
  highest(dimension: Dimensions): readonly AggregateRow[]
}

export type AggregateRow = readonly [value: string, aggregates: AggregateStats]

export const groupsMax = limits.statsGroups.value

export function openAggregateSums(): AggregateSums {
  const sums: Record<Dimensions, Map<string, Sum>> = {
    bucket: new Map(),
    name: new Map(),
    environment: new Map(),
    model: new Map(),
    tag: new Map(),
  }
  const add = (dimension: Dimensions, value: string, aggregates: AddedAggregates) => {
    const known = sums[dimension].get(value)
    const sum = known ?? nothing()
    if (known === undefined) sums[dimension].set(value, sum)
    addTo(sum, aggregates)
  }
  const rows = (found: Iterable<[string, Sum]>) =>
    Array.from(found, ([value, aggregates]) => [value, toAggregateStats(aggregates)] as const)
  return {
    add,
    addDimensions({ name, environment, tags }, aggregates) {
      add('name', name, aggregates)
      add('environment', environment ?? '', aggregates)
      for (const tag of tags) add('tag', tag, aggregates)
    },
    all: (dimension) => rows(sums[dimension]),
    total: () => toAggregateStats(sumAll(sums.bucket.values())),
    highest: (dimension) =>
      rows(
        [...sums[dimension]]
          .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
          .slice(0, groupsMax),
      ),
  }
}

type Sum = Omit<Aggregates, 'latencies'> & {
  /** By bucket. */
  readonly counts: number[]
}

function nothing(): Sum {
  const zero = { count: 0, errors: 0, calls: 0, unpriced: 0, tokensIn: 0, tokensOut: 0 }
  return { ...zero, costNanos: 0, counts: [] }
}

function sumAll(sums: Iterable<Sum>): Sum {
  const total = nothing()
  for (const { counts, ...added } of sums) addTo(total, { ...added, latencies: toMap(counts) })
  return total
}

function toMap(counts: readonly number[]): ReadonlyMap<number, number> {
  const latencies = new Map<number, number>()
  counts.forEach((count, bucket) => latencies.set(bucket, count))
  return latencies
}

function addTo(sum: Sum, added: AddedAggregates): void {
  sum.count += added.count
  sum.errors += added.errors
  sum.calls += added.calls
  sum.unpriced += added.unpriced
  sum.tokensIn += added.tokensIn
  sum.tokensOut += added.tokensOut
  sum.costNanos += added.costNanos
  if (typeof added.latencies === 'string') addText(sum.counts, added.latencies)
  else for (const [bucket, count] of added.latencies) addCount(sum.counts, bucket, count)
}

function addCount(counts: number[], bucket: number, count: number): void {
  counts[bucket] = (counts[bucket] ?? 0) + count
}

/**
 * Parses `[[80,3],[81,7]]` by hand: a response sums tens of thousands of these, and JSON.parse plus a map
 * for each would take most of the time.
 */
function addText(counts: number[], text: string): void {
  let bucket = 0
  let number = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) number = number * 10 + code - 48
    else if (code === 44) {
      bucket = number
      number = 0
    } else if (code === 93) {
      if (number > 0) addCount(counts, bucket, number)
      number = 0
    }
  }
}

function toAggregateStats({ counts, costNanos, ...sums }: Sum): AggregateStats {
  const latencies = toMap(counts)
  return {
    ...sums,
    costUsd: costNanos / 1e9,
    latencyMs: {
      p50: estimateQuantile(latencies, 0.5),
      p90: estimateQuantile(latencies, 0.9),
      p99: estimateQuantile(latencies, 0.99),
    },
  }
}
