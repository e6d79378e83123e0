import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { IconCoin } from '@tabler/icons-react'
import { type CallCounts, formatUnpricedCalls } from '../../parts/unpriced-calls.ts'
import styles from './dashboard.module.css'

interface Props {
  readonly projectId: string
  readonly total: CallCounts
}

/** The share of calls without a price, with a link to the prices. */
export function UnpricedNote({ projectId, total }: Props) {
  const text = formatUnpricedCalls(total)
  if (text === undefined) return null
  return (
    <div className={styles.unpriced} role="note">
      <IconCoin size={18} stroke={1.75} aria-hidden />
      <p>{text}</p>
      <LinkButton to="/p/$projectId/prices" params={{ projectId }} variant="default">
        View prices
      </LinkButton>
    </div>
  )
}
