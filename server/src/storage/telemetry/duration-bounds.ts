/*
 * Bounds of durations in milliseconds, as filters have them, in the nanoseconds of stored times.
 */

/** At most a duration that no trace can have. The error of a multiplication is not rounded to a nanosecond. */
export function toNanos(millis: number, round: (nanos: number) => number): bigint {
  const nanos = Math.min(millis * 1e6, 9.2e18)
  const nearest = Math.round(nanos)
  const isWhole = Math.abs(nanos - nearest) <= nearest * Number.EPSILON
  return BigInt(isWhole ? nearest : round(nanos))
}
