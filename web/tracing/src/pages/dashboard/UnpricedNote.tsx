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

/** How much of the cost is missing, and where prices are set. */
export function UnpricedNote({ projectId, total }: Props) {
  const { unpriced_call_count, model_call_count } = total
  if (unpriced_call_count === 0) return null
  const share = measures.error_rate.format(unpriced_call_count / Math.max(1, model_call_count))
  return (
    <div className={styles.unpriced} role="note">
      <IconCoin size={18} stroke={1.75} aria-hidden />
      <p>
        <strong>{share}</strong> of the model calls have no price:{' '}
        {formatCount(unpriced_call_count)} of {countOf(model_call_count, 'call')}. The cost lacks
        them.
      </p>
      <LinkButton to="/p/$projectId/prices" params={{ projectId }} variant="default">
        To the prices
      </LinkButton>
    </div>
  )
}
