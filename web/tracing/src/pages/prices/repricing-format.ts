import type { Repricing } from '@assay/contract/repricing.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { type TimeSearch, withFixedTime } from '../../filter/time-range.ts'

/*
 * Which time is priced anew, and what that comes to, in words.
 */

/** What an open end at the past stands for: there are no calls from before. */
export const earliestStart = '2000-01-01T00:00:00.000Z'

/** Both ends of the time in the address, counted from `nowMs` where one is open or relative. */
export function toTimeRange(search: TimeSearch, nowMs: number) {
  const { from = earliestStart, to = new Date(nowMs).toISOString() } = withFixedTime(search, nowMs)
  return { from, to }
}

/** `+$1.20`, `−$0.0034`, `no difference`. */
export function formatCostDifference(beforeUsd: number, afterUsd: number): string {
  const difference = afterUsd - beforeUsd
  // Sums of many small costs differ in their last digits by how they were added up.
  if (Math.abs(difference) < 1e-9) return 'no difference'
  const size = Math.abs(difference)
  const digits = size < 0.01 ? 6 : size < 1 ? 4 : 2
  const text = size.toLocaleString('en-US', { maximumFractionDigits: digits })
  return `${difference > 0 ? '+' : '−'}$${text}`
}

/** What was, or would be, done to how many calls. */
export function formatRepricingResult(figures: Repricing): string {
  const { spans_examined, spans_changed, newly_priced, newly_unpriced } = figures
  if (spans_examined === 0) return 'No call of that time could be priced anew.'
  const beside = [
    ...(newly_priced > 0 ? [`${formatCount(newly_priced)} get a cost that had none`] : []),
    ...(newly_unpriced > 0 ? [`${formatCount(newly_unpriced)} lose theirs`] : []),
  ]
  const more = beside.length === 0 ? '' : `: ${beside.join(', ')}`
  return `${formatCount(spans_changed)} of ${formatCount(spans_examined)} calls change${more}.`
}

/** How far it is, from 0 to 100. */
export function percentDone({ trace_count, traces_done }: Repricing): number {
  return trace_count === 0 ? 100 : Math.min(100, Math.floor((traces_done / trace_count) * 100))
}
