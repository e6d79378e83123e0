import { limits } from '@assay/contract/limits.ts'
import type { Repricing } from '@assay/contract/repricing.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { earliestStart, type TimeSearch, withFixedTime } from '../../filter/time-range.ts'

/*
 * The time range and the results of a recalculation, as text.
 */

/** The time range in the address, with open and relative ends resolved at `nowMs`. */
export function toTimeRange(search: TimeSearch, nowMs: number) {
  const { from = earliestStart, to = new Date(nowMs).toISOString() } = withFixedTime(search, nowMs)
  return { from, to }
}

/** `+$1.20`, `−$0.0034`, `no change`. */
export function formatCostDifference(beforeUsd: number, afterUsd: number): string {
  const difference = afterUsd - beforeUsd
  // The last digits of a sum of many small costs depend on the order of addition.
  if (Math.abs(difference) < 1e-9) return 'no change'
  const size = Math.abs(difference)
  const digits = size < 0.01 ? 6 : size < 1 ? 4 : 2
  const text = size.toLocaleString('en-US', { maximumFractionDigits: digits })
  return `${difference > 0 ? '+' : '−'}$${text}`
}

/** How many calls would change, and how. */
export function formatRepricingResult(stats: Repricing): string {
  const { spans_examined, spans_changed, newly_priced, newly_unpriced, is_complete } = stats
  if (spans_examined === 0) return 'No calls in this time range.'
  if (spans_changed === 0 && is_complete) return 'No call would change.'
  const beside = [
    ...(newly_priced > 0 ? [`${formatCount(newly_priced)} newly priced`] : []),
    ...(newly_unpriced > 0 ? [`${formatCount(newly_unpriced)} no longer priced`] : []),
  ]
  const more = beside.length === 0 ? '' : `: ${beside.join(', ')}`
  return `${formatCount(spans_changed)} of ${countOf(spans_examined, 'call')} would change${more}.`
}

/** `3 traces`. Null: too many to be counted. */
export function formatTraceCount(count: number | null): string {
  return count === null
    ? `more than ${countOf(limits.repricedTraces.value, 'trace')}`
    : countOf(count, 'trace')
}
