import styles from './chart.module.css'
import type { ChartProps } from './chart-props.ts'
import { type ChartMark, type ChartPick, getLook } from './chart-series.ts'
import { formatStep } from './time-format.ts'

interface Props extends ChartProps {
  readonly hidden: ReadonlySet<string>
  readonly pick: ChartPick
  readonly mark?: ChartMark
  readonly leftPx: number
  /** The side of the step with enough room. */
  readonly side: 'left' | 'right'
}

const maxLines = 12

/** The values at the step under the pointer. Names are rendered as text only. */
export function ChartTip(props: Props) {
  const { series, hidden, frame, formatValue, pick, mark, leftPx, side } = props
  const lines = series.flatMap((one, place) => {
    const value = one.points.find((point, at) =>
      one.form === 'mark' ? one.id === mark?.seriesId && at === mark.index : point.at === pick.at,
    )?.value
    if (hidden.has(one.id) || value === undefined || value === null) return []
    return [{ id: one.id, name: one.name, value, color: getLook(one, place).color }]
  })
  const shown = [...lines].sort((one, other) => other.value - one.value).slice(0, maxLines)
  const isInOrder = lines.length <= maxLines
  return (
    <div className={styles.tip} data-side={side} style={{ left: leftPx }} aria-hidden>
      <p className={styles.tipTime}>
        {formatStep(pick.at, frame.stepMs)} – {formatStep(pick.at + frame.stepMs, frame.stepMs)}
      </p>
      {(isInOrder ? lines : shown).map(({ id, name, value, color }) => (
        <p key={id} className={styles.tipLine}>
          <span className={styles.swatch} style={{ background: color }} />
          <span className={styles.keyName}>{name}</span>
          <span className={styles.tipValue}>{formatValue(value)}</span>
        </p>
      ))}
      {lines.length === 0 && <p className={styles.tipLine}>No data</p>}
      {!isInOrder && <p className={styles.tipTime}>and {lines.length - maxLines} more</p>}
    </div>
  )
}
