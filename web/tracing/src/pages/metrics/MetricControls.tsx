import type { MetricSeries } from '@assay/contract/metrics.ts'
import { NativeSelect } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { Chips } from '../../filter/Chips.tsx'
import { TimeRange } from '../../filter/TimeRange.tsx'
import page from '../../page/page.module.css'
import { aggregationLabels, canCombine, listAggregations } from './metric-aggregations.ts'
import { allLabels, toLabels } from './metric-lines.ts'
import {
  defaultRange,
  formatLabel,
  labelFilters,
  metricSearch,
  type ViewProps,
  withLabel,
} from './metric-search.ts'

interface Props extends ViewProps {
  readonly series: readonly MetricSeries[]
}

/** Chooses the time range, the aggregation, the grouping and the filters of a metric. */
export function MetricControls({ search, onChange, series }: Props) {
  const offered = series[0] === undefined ? [] : listAggregations(series[0])
  const labels = allLabels(series)
  const shown = search.show ?? offered[0]
  const isCombinable = shown === undefined || canCombine(shown)
  const change = (name: 'show' | 'group') => (event: ChangeEvent<HTMLSelectElement>) =>
    onChange(metricSearch.parse({ ...search, [name]: event.currentTarget.value }))
  return (
    <div className={page.line}>
      <TimeRange {...{ search, defaultRange, onChange }} />
      {offered.length > 0 && (
        <NativeSelect
          size="xs"
          maw={200}
          aria-label="Aggregation"
          data={offered.map((one) => ({ value: one, label: aggregationLabels[one] }))}
          value={shown ?? ''}
          onChange={change('show')}
        />
      )}
      {labels.length > 0 && series.length > 1 && (
        <NativeSelect
          size="xs"
          maw={200}
          aria-label="Group by"
          disabled={!isCombinable}
          title={isCombinable ? undefined : 'Quantiles cannot be combined across series'}
          data={[
            { value: '', label: 'No grouping' },
            ...labels.map((label) => ({ value: label, label: `Group by ${formatLabel(label)}` })),
          ]}
          value={search.group ?? ''}
          onChange={change('group')}
        />
      )}
      {labels.length > 0 && (
        <NativeSelect
          size="xs"
          maw={200}
          aria-label="Add filter"
          data={[
            { value: '', label: 'Add filter…' },
            ...labels.map((label) => ({
              group: formatLabel(label),
              items: listValues(series, label),
            })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const [label, text] = JSON.parse(value) as [string, string]
            onChange(withLabel(search, label, text))
          }}
        />
      )}
      <Chips
        filters={[...labelFilters(search)].map(([label, value]) => ({
          key: label,
          text: `${formatLabel(label)}: ${value}`,
          onRemove: () => onChange(withLabel(search, label, undefined)),
        }))}
      />
    </div>
  )
}

/** Options as JSON pairs, because labels and values can contain any character. */
function listValues(series: readonly MetricSeries[], label: string) {
  const values = new Set(series.flatMap((one) => toLabels(one).get(label) ?? []))
  return [...values]
    .sort()
    .slice(0, 100)
    .map((value) => ({ value: JSON.stringify([label, value]), label: value || '(empty)' }))
}
