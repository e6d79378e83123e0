import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'

export interface CallCounts {
  /** Model calls that used tokens. */
  readonly model_call_count: number
  /** Those of them without a known cost. */
  readonly unpriced_call_count: number
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** `6 of 2,478 model calls (0.2%) have no price and are not included in the cost.` Undefined if all have one. */
export function formatUnpricedCalls({
  model_call_count: calls,
  unpriced_call_count: unpriced,
}: CallCounts): string | undefined {
  if (unpriced === 0) return undefined
  const share = percent.format(unpriced / Math.max(unpriced, calls))
  const verbs = unpriced === 1 ? ['has', 'is'] : ['have', 'are']
  return `${formatCount(unpriced)} of ${countOf(calls, 'model call')} (${share}) ${verbs[0]} no price and ${verbs[1]} not included in the cost.`
}

/** A dash for an unknown cost, a lower bound (`≥ $2.00`) if some calls have no price. */
export function formatTotalCost(
  usd: number | null,
  { unpriced_call_count }: Pick<CallCounts, 'unpriced_call_count'>,
): string {
  const text = formatCost(usd)
  return usd === null || unpriced_call_count === 0 ? text : `≥ ${text}`
}

export function sumOfCalls(all: readonly CallCounts[]): CallCounts {
  const sum = (of: (one: CallCounts) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    model_call_count: sum((one) => one.model_call_count),
    unpriced_call_count: sum((one) => one.unpriced_call_count),
  }
}
