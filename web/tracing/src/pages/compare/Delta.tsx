import { unknown } from '@assay/ui/number-format.ts'
import styles from './compare.module.css'

interface Props {
  /** Null if unknown. */
  readonly a: number | null
  readonly b: number | null
  readonly format: (value: number) => string
  /** An increase is neither good nor bad. */
  readonly isNeutral?: boolean
  /** Shows the percentage only on hover. */
  readonly isShort?: boolean
}

/** The signed change from A to B, with a percentage. */
export function Delta({ a, b, format, isNeutral = false, isShort = false }: Props) {
  if (a === null || b === null) {
    return <span className="dimmed">{a === b ? '' : unknown}</span>
  }
  const change = b - a
  if (change === 0) return <span className="dimmed">same</span>
  const isMore = change > 0
  const share = a === 0 ? '' : ` ${formatShare(change / a)}`
  const trend = isNeutral ? undefined : isMore ? 'worse' : 'better'
  return (
    <span className={styles.delta} data-mood={trend} title={share}>
      {isMore ? '+' : '−'}
      {format(Math.abs(change))}
      {share !== '' && !isShort && <span className={styles.share}>{share}</span>}
    </span>
  )
}

function formatShare(share: number): string {
  const percent = Math.abs(share) * 100
  const sign = share > 0 ? '+' : '−'
  if (percent >= 1000) return `${sign}${Math.round(percent / 100)}×`
  return `${sign}${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`
}
