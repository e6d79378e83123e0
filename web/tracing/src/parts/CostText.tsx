import { type CallCounts, formatTotalCost, formatUnpricedCalls } from './unpriced-calls.ts'

interface Props {
  readonly usd: number | null
  /** The calls of a total; those without a price make it a lower bound. */
  readonly calls?: CallCounts
}

const noCalls: CallCounts = { model_call_count: 0, unpriced_call_count: 0 }

/** Dollars, or a dash with the reason: unknown is not free. */
export function CostText({ usd, calls = noCalls }: Props) {
  const title =
    usd === null
      ? 'Unknown: the model has no price, and no cost was reported'
      : (formatUnpricedCalls(calls) ?? `$${usd}`)
  return (
    <span title={title} className={usd === null ? 'dimmed' : undefined}>
      {formatTotalCost(usd, calls)}
    </span>
  )
}
