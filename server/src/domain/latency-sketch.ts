/*
 * Latencies as counts in buckets whose bounds grow by a tenth: any two can be added, any quantile is right
 * within five percent, and nothing depends on what came when.
 */

const growth = 1.1
const logGrowth = Math.log(growth)

/** Up to a microsecond is the first bucket. */
export function bucketOf(millis: number): number {
  const micros = millis * 1000
  return micros <= 1 ? 0 : Math.ceil(Math.log(micros) / logGrowth - 1e-9)
}

/** Milliseconds that this part of the counted lie under; null where nothing is counted. */
export function quantileOf(counts: ReadonlyMap<number, number>, part: number): number | null {
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
