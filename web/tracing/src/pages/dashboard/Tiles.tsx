import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import {
  type Aggregates,
  changeBetween,
  formatAggregateCost,
  type Measure,
  measures,
} from './measures.ts'
import { sumBuckets } from './stats-series.ts'

interface Props {
  readonly stats: Stats
  /** The previous period of the same length; undefined until loaded. */
  readonly before: Stats | undefined
}

/** Totals, each with the change from the previous period. */
export function Tiles({ stats, before }: Props) {
  const now = sumBuckets(stats)
  const then = before === undefined ? undefined : sumBuckets(before)
  return (
    <dl className={styles.tiles}>
      <Tile measure={measures.runs} now={now} then={then} />
      <Tile measure={measures.error_rate} now={now} then={then}>
        {measures.errors.format(now.error_count)} errors
      </Tile>
      <Tile measure={measures.tokens} now={now} then={then}>
        {measures.tokens.format(now.tokens_in)} input, {measures.tokens.format(now.tokens_out)}{' '}
        output
      </Tile>
      <Tile measure={measures.cost} now={now} then={then} displayValue={formatAggregateCost(now)} />
    </dl>
  )
}

interface TileProps {
  readonly measure: Measure
  readonly now: Aggregates
  readonly then: Aggregates | undefined
  readonly displayValue?: string
  readonly children?: React.ReactNode
}

function Tile({ measure, now, then, displayValue, children }: TileProps) {
  const { label, of, format } = measure
  const value = of(now)
  const change = then === undefined ? undefined : changeBetween(measure, now, then)
  const earlier = then === undefined || then.count === 0 ? null : of(then)
  return (
    <div className={styles.tile}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.figure}>
          {displayValue ?? (value === null ? '—' : format(value))}
        </span>
        <span className={styles.beside}>
          {children !== undefined && <span>{children}</span>}
          {change !== undefined && (
            <span title={earlier === null ? undefined : `Previous period: ${format(earlier)}`}>
              {change}
            </span>
          )}
        </span>
      </dd>
    </div>
  )
}
