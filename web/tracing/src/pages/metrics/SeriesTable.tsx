import type { MetricSeries } from '@assay/contract/metrics.ts'
import { TextButton } from '@assay/ui/TextButton.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { aggregationLabels, listAggregations } from './metric-aggregations.ts'
import { getFormatter } from './metric-format.ts'
import { allLabels, toLabels } from './metric-lines.ts'
import { formatLabel, type ViewProps, withLabel } from './metric-search.ts'

interface Props extends ViewProps {
  readonly series: readonly MetricSeries[]
}

/** The series with their attributes (click to filter) and latest values. */
export function SeriesTable({ search, onChange, series }: Props) {
  const first = series[0]
  if (first === undefined) return null
  const labelColumn = (label: string): Column<MetricSeries> => ({
    key: `label ${label}`,
    header: formatLabel(label),
    cell: (one) => {
      const value = toLabels(one).get(label)
      if (value === undefined) return <span className="dimmed">—</span>
      return (
        <TextButton
          title={`Filter by ${formatLabel(label)}: ${value}`}
          onClick={() => onChange(withLabel(search, label, value))}
        >
          {value || '(empty)'}
        </TextButton>
      )
    },
    sortValue: (one) => toLabels(one).get(label) ?? null,
  })
  return (
    <DataTable
      caption="Series"
      noun={['series', 'series']}
      rows={series}
      columns={[...allLabels(series).map(labelColumn), latestColumn(first)]}
      rowKey={({ series_id }) => series_id}
    />
  )
}

function latestColumn(first: MetricSeries): Column<MetricSeries> {
  const [preferred = 'last'] = listAggregations(first)
  const aggregation = preferred === 'quantiles' ? 'p90' : preferred === 'avg' ? 'last' : preferred
  const format = getFormatter(aggregation, first.unit)
  const getLatest = ({ steps }: MetricSeries) => steps.at(-1)?.[aggregation] ?? null
  return {
    key: 'latest',
    header: aggregation === 'last' ? aggregationLabels.last : `Latest ${aggregation}`,
    align: 'end',
    cell: (one) => {
      const latest = getLatest(one)
      return latest === null ? '—' : format(latest)
    },
    sortValue: getLatest,
  }
}
