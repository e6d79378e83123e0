import { unknown } from '@assay/ui/number-format.ts'
import styles from './compare.module.css'

interface Props {
  /** Null where it is not known. */
  readonly a: number | null
  readonly b: number | null
  readonly format: (value: number) => string
  /** More is neither worse nor better. */
  readonly isNeutral?: boolean
  /** The share is told on hover alone. */
  readonly isShort?: boolean
}

/** How much more or less the one is than the other, with a sign and a share. */
export function Delta({ a, b, format, isNeutral = false, isShort = false }: Props) {
  if (a === null || b === null) {
    return <span className="dimmed">{a === b ? '' : unknown}</span>
  }
  const change = b - a
  if (change === 0) return <span className="dimmed">same</span>
  const isMore = change > 0
  const share = a === 0 ? '' : ` ${shareOf(change / a)}`
  const trend = isNeutral ? undefined : isMore ? 'worse' : 'better'
  return (
    <span className={styles.delta} data-mood={trend} title={share}>
      {isMore ? '+' : '−'}
      {format(Math.abs(change))}
      {share !== '' && !isShort && <span className={styles.share}>{share}</span>}
    </span>
  )
}

function shareOf(share: number): string {
  const percent = Math.abs(share) * 100
  const sign = share > 0 ? '+' : '−'
  if (percent >= 1000) return `${sign}${Math.round(percent / 100)}×`
  return `${sign}${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`
}
