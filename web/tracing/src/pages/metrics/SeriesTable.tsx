import type { MetricSeries } from '@assay/contract/metrics.ts'
import { countOf } from '@assay/ui/count-of.ts'
import type { MetricResult } from '../../api/metrics.ts'
import { formatterOf } from './metric-format.ts'
import { labelNames, labelsOf } from './metric-lines.ts'
import { readingLabels, readingsOf, type SingleReading } from './metric-readings.ts'
import { withLabel } from './metric-search.ts'
import type { ViewProps } from './metric-view.ts'
import styles from './metrics.module.css'

interface Props extends ViewProps {
  readonly result: MetricResult
}

/** The series with their attributes (click to filter) and latest values. */
export function SeriesTable({ search, onChange, result: { series } }: Props) {
  const names = labelNames(series)
  const first = series[0]
  if (first === undefined) return null
  const reading = lastReadingOf(first)
  const format = formatterOf(reading, first.unit)
  return (
    <section className={styles.card} aria-label="Series">
      <h3 className={styles.cardTitle}>{countOf(series.length, 'series', 'series')}</h3>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <caption className="visually-hidden">Series of the metric</caption>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col" className={styles.number}>
                {reading === 'last' ? readingLabels.last : `Latest ${reading}`}
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map((one) => {
              const labels = labelsOf(one)
              const newest = one.steps.at(-1)?.[reading] ?? null
              return (
                <tr key={one.series_id}>
                  {names.map((name) => {
                    const value = labels[name]
                    return (
                      <td key={name}>
                        {value === undefined ? (
                          <span className="dimmed">—</span>
                        ) : (
                          <button
                            type="button"
                            className={styles.plain}
                            title={`Filter by ${name}: ${value}`}
                            onClick={() => onChange(withLabel(search, name, value))}
                          >
                            {value === '' ? '(empty)' : value}
                          </button>
                        )}
                      </td>
                    )
                  })}
                  <td className={styles.number}>{newest === null ? '—' : format(newest)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function lastReadingOf(series: MetricSeries): SingleReading {
  const [first] = readingsOf(series)
  return first === 'quantiles' ? 'p90' : first === 'avg' ? 'last' : (first ?? 'last')
}
