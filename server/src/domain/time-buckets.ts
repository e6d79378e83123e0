import type { Instant } from './instant.ts'

/*
 * Stretches of time of one round width, in which something is counted. They begin where the clock of UTC shows a
 * round time; weeks begin on Mondays.
 */

export interface TimeBuckets {
  /** Begins with a bucket. */
  readonly from: Instant
  /** Ends with one. */
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

/** 1970 began on a Thursday. */
const firstMonday = 4n * day

/** The narrowest buckets of which `max` are as long as the time from `from` to `to`, widened to whole buckets: one more than `max` at most. */
export function bucketsWithin(from: Instant, to: Instant, max: number): TimeBuckets {
  const widest = widths.at(-1)!
  const widthNanos = widths.find((width) => width * BigInt(max) >= to - from) ?? widest
  return wholeBuckets(from, to, widthNanos)
}

/** The time from `from` to `to`, widened to whole buckets. */
function wholeBuckets(from: Instant, to: Instant, widthNanos: bigint): TimeBuckets {
  return {
    from: bucketStart(from, widthNanos),
    to: bucketStart(to + widthNanos - 1n, widthNanos),
    widthNanos,
  }
}

/** Where the bucket begins that this instant lies in. */
export function bucketStart(instant: Instant, widthNanos: bigint): Instant {
  const after = (instant - (widthNanos % week === 0n ? firstMonday : 0n)) % widthNanos
  return instant - (after < 0n ? after + widthNanos : after)
}
