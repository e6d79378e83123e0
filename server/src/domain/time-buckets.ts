import type { Instant } from './instant.ts'

/*
 * Time buckets of a round width. They start at round times in UTC, weeks on Mondays.
 */

export interface TimeBuckets {
  /** The start of a bucket. */
  readonly from: Instant
  /** The end of a bucket. */
  readonly to: Instant
  readonly widthNanos: bigint
}

const second = 1_000_000_000n
const minute = 60n * second
const hour = 60n * minute
const day = 24n * hour
const week = 7n * day

const widths: readonly bigint[] = [
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((seconds) => seconds * second),
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((minutes) => minutes * minute),
  ...[1n, 2n, 3n, 6n, 12n].map((hours) => hours * hour),
  day,
  ...[1n, 2n, 4n, 13n, 26n, 52n, 260n, 520n, 2600n, 52_000n].map((weeks) => weeks * week),
]

/** 1970 started on a Thursday. */
const firstMonday = 4n * day

/**
 * The narrowest width of which `max` buckets are as long as the range, widened to whole buckets: at most
 * one more than `max`.
 */
export function bucketsWithin(from: Instant, to: Instant, max: number): TimeBuckets {
  const widest = widths.at(-1)!
  const widthNanos = widths.find((width) => width * BigInt(max) >= to - from) ?? widest
  return wholeBuckets(from, to, widthNanos)
}

/** The range, widened to whole buckets. */
function wholeBuckets(from: Instant, to: Instant, widthNanos: bigint): TimeBuckets {
  return {
    from: bucketStart(from, widthNanos),
    to: bucketStart(to + widthNanos - 1n, widthNanos),
    widthNanos,
  }
}

/** The start of the bucket that contains this instant. */
export function bucketStart(instant: Instant, widthNanos: bigint): Instant {
  const after = (instant - (widthNanos % week === 0n ? firstMonday : 0n)) % widthNanos
  return instant - (after < 0n ? after + widthNanos : after)
}
