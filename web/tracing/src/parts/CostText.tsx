import { formatCost } from '@assay/ui/number-format.ts'

interface Props {
  readonly usd: number | null
}

/** Dollars, or a dash that says why there are none: what is not known is not free. */
export function CostText({ usd }: Props) {
  const title =
    usd === null ? 'Cost unknown: no price for the model, and none was reported' : `$${usd}`
  return (
    <span title={title} className={usd === null ? 'dimmed' : undefined}>
      {formatCost(usd)}
    </span>
  )
}
