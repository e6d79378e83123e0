import { formatCost } from '@assay/ui/number-format.ts'

interface Props {
  readonly usd: number | null
}

/** Dollars, or a dash with the reason: unknown is not free. */
export function CostText({ usd }: Props) {
  const title =
    usd === null ? 'Unknown: the model has no price, and no cost was reported' : `$${usd}`
  return (
    <span title={title} className={usd === null ? 'dimmed' : undefined}>
      {formatCost(usd)}
    </span>
  )
}
