import { useState } from 'react'
import styles from './chart.module.css'
import type { ChartProps } from './chart-props.ts'
import { toRows } from './chart-series.ts'
import { formatStep } from './time-format.ts'

const initialRows = 100

/** The values of a chart in rows, newest first, each with a button if steps can be selected. */
export function ChartTable(props: ChartProps) {
  const { title, frame, formatValue, onPick, heightPx } = props
  const series = props.series.filter(({ form }) => form !== 'mark')
  const [maxRows, setMaxRows] = useState(initialRows)
  const rows = toRows(series)
  return (
    // A scrollable box is focusable, so that the arrow keys scroll it.
    <div className={styles.tableBox} style={{ maxHeight: (heightPx ?? 200) + 60 }} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col" className={styles.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">
                {onPick === undefined ? (
                  formatStep(at, frame.stepMs)
                ) : (
                  <button type="button" className={styles.pick} onClick={() => onPick({ at })}>
                    {formatStep(at, frame.stepMs)}
                  </button>
                )}
              </th>
              {series.map(({ id }, place) => (
                <td key={id} className={styles.number}>
                  {values[place] === null || values[place] === undefined
                    ? '—'
                    : formatValue(values[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={styles.nothing}>No data</p>}
      {rows.length > maxRows && (
        <button
          type="button"
          className={styles.moreRows}
          onClick={() => setMaxRows(maxRows + 1000)}
        >
          Show more rows
        </button>
      )}
    </div>
  )
}
