import type { MetricSeries } from '@assay/contract/metrics.ts'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
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
  const first = series[0]
  if (first === undefined) return null
  const labelColumn = (name: string): Column<MetricSeries> => ({
    key: `label ${name}`,
    header: name,
    cell: (one) => (
      <LabelValue
        name={name}
        value={labelsOf(one)[name]}
        onFilter={(value) => onChange(withLabel(search, name, value))}
      />
    ),
    sortValue: (one) => labelsOf(one)[name] ?? null,
  })
  return (
    <section aria-label="Series">
      <h3 className={styles.tableTitle}>Series</h3>
      <DataTable
        caption="Series"
        noun={['series', 'series']}
        rows={series}
        columns={[...labelNames(series).map(labelColumn), latestColumn(first)]}
        rowKey={({ series_id }) => series_id}
      />
    </section>
  )
}

interface LabelProps {
  readonly name: string
  readonly value: string | undefined
  readonly onFilter: (value: string) => void
}

function LabelValue({ name, value, onFilter }: LabelProps) {
  if (value === undefined) return <span className="dimmed">—</span>
  return (
    <button
      type="button"
      className={styles.plain}
      title={`Filter by ${name}: ${value}`}
      onClick={() => onFilter(value)}
    >
      {value === '' ? '(empty)' : value}
    </button>
  )
}

function latestColumn(first: MetricSeries): Column<MetricSeries> {
  const reading = latestReadingOf(first)
  const format = formatterOf(reading, first.unit)
  const latestOf = ({ steps }: MetricSeries) => steps.at(-1)?.[reading] ?? null
  return {
    key: 'latest',
    header: reading === 'last' ? readingLabels.last : `Latest ${reading}`,
    align: 'end',
    cell: (one) => {
      const latest = latestOf(one)
      return latest === null ? '—' : format(latest)
    },
    sortValue: latestOf,
  }
}

function latestReadingOf(series: MetricSeries): SingleReading {
  const [first] = readingsOf(series)
  return first === 'quantiles' ? 'p90' : first === 'avg' ? 'last' : (first ?? 'last')
}
