import type { ModelEstimate } from '@assay/contract/cost-calculator.ts'

/*
 * The common scale of the intervals of several models. It is logarithmic, because models differ by a factor of a
 * hundred.
 */

export interface CostScale {
  /** In percent of the width. */
  readonly positionOf: (usd: number) => number
  /** Powers of ten, from the start of the scale to its end. */
  readonly ticks: readonly number[]
}

type Interval = Pick<ModelEstimate, 'costUsdP10' | 'costUsdP90'>

/** Undefined if no model has a cost above zero. */
export function scaleCosts(intervals: readonly Interval[]): CostScale | undefined {
  const ends = intervals
    .flatMap(({ costUsdP10, costUsdP90 }) => [costUsdP10, costUsdP90])
    .filter((usd) => usd !== null && usd > 0)
    .map((usd) => Math.log10(usd as number))
  if (ends.length === 0) return undefined
  const first = Math.floor(Math.min(...ends))
  const last = Math.max(first + 1, Math.ceil(Math.max(...ends)))
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at))
  const positionOf = (usd: number) => {
    if (usd <= 0) return 0
    const share = (Math.log10(usd) - first) / (last - first)
    return 100 * Math.min(1, Math.max(0, share))
  }
  return { positionOf, ticks }
}

/** `$0.01`, `$100`. */
export function formatTick(usd: number): string {
  return usd < 1
    ? `$${usd.toFixed(Math.round(-Math.log10(usd)))}`
    : `$${usd.toLocaleString('en-US')}`
}
