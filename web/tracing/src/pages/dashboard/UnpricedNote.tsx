import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { IconCoin } from '@tabler/icons-react'
import { LinkButton } from '../../parts/LinkButton.tsx'
import styles from './dashboard.module.css'
import { type Aggregates, measures } from './measures.ts'

interface Props {
  readonly projectId: string
  readonly total: Aggregates
}

/** The share of calls without a price, with a link to the prices. */
export function UnpricedNote({ projectId, total }: Props) {
  const { unpriced_call_count, model_call_count } = total
  if (unpriced_call_count === 0) return null
  const share = measures.error_rate.format(unpriced_call_count / Math.max(1, model_call_count))
  return (
    <div className={styles.unpriced} role="note">
      <IconCoin size={18} stroke={1.75} aria-hidden />
      <p>
        {formatCount(unpriced_call_count)} of {countOf(model_call_count, 'model call')} ({share})
        have no price and are not included in the cost.
      </p>
      <LinkButton to="/p/$projectId/prices" params={{ projectId }} variant="default">
        View prices
      </LinkButton>
    </div>
  )
}
