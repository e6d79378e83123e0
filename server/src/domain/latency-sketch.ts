/*
 * Latencies as counts in buckets whose bounds grow by ten percent: sketches can be added, quantiles are
 * within five percent, and the order of values does not matter.
 */

const growth = 1.1
const logGrowth = Math.log(growth)

/** The first bucket ends at a microsecond. */
export function toLatencyBucket(millis: number): number {
  const micros = millis * 1000
  return micros <= 1 ? 0 : Math.ceil(Math.log(micros) / logGrowth - 1e-9)
}

/** The quantile in milliseconds; null when nothing is counted. */
export function estimateQuantile(counts: ReadonlyMap<number, number>, part: number): number | null {
  const ascending = [...counts].sort(([a], [b]) => a - b)
  const total = ascending.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let remaining = Math.max(1, Math.ceil(part * total))
  for (const [bucket, count] of ascending) {
    remaining -= count
    if (remaining <= 0) return middleOf(bucket)
  }
  return null
}

function middleOf(bucket: number): number {
  return (growth ** bucket * 2) / (1 + growth) / 1000
}
