import styles from './chart.module.css'
import { type ChartSeries, getLook } from './chart-series.ts'

interface Props {
  readonly series: readonly ChartSeries[]
  readonly hidden: ReadonlySet<string>
  readonly onChange: (hidden: ReadonlySet<string>) => void
}

/** The legend; a click hides or shows a series. */
export function ChartLegend({ series, hidden, onChange }: Props) {
  return (
    <ul className={styles.legend} aria-label="Series">
      {series.map((one, place) => {
        const { color, dash } = getLook(one, place)
        const isShown = !hidden.has(one.id)
        const border = one.form === 'line' ? `2px ${dash} ${color}` : undefined
        return (
          <li key={one.id}>
            <button
              type="button"
              className={styles.key}
              aria-pressed={isShown}
              title={isShown ? `Hide ${one.name}` : `Show ${one.name}`}
              onClick={() => {
                const next = new Set(hidden)
                if (isShown) next.add(one.id)
                else next.delete(one.id)
                onChange(next)
              }}
            >
              <span
                className={styles.swatch}
                data-form={one.form}
                style={border === undefined ? { background: color } : { borderTop: border }}
              />
              <span className={styles.keyName}>{one.name}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
