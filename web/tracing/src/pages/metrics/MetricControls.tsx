import type { MetricSeries } from '@assay/contract/metrics.ts'
import { NativeSelect } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { Chips } from '../../filter/Chips.tsx'
import { TimeRange } from '../../filter/TimeRange.tsx'
import page from '../../page/page.module.css'
import { aggregationLabels, aggregationsOf, canCombine } from './metric-aggregations.ts'
import { labelNames, labelsOf } from './metric-lines.ts'
import {
  defaultRange,
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
  const offered = series[0] === undefined ? [] : aggregationsOf(series[0])
  const names = labelNames(series)
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
      {names.length > 0 && series.length > 1 && (
        <NativeSelect
          size="xs"
          maw={200}
          aria-label="Group by"
          disabled={!isCombinable}
          title={isCombinable ? undefined : 'Quantiles cannot be combined across series'}
          data={[
            { value: '', label: 'No grouping' },
            ...names.map((name) => ({ value: name, label: `Group by ${name}` })),
          ]}
          value={search.group ?? ''}
          onChange={change('group')}
        />
      )}
      {names.length > 0 && (
        <NativeSelect
          size="xs"
          maw={200}
          aria-label="Add filter"
          data={[
            { value: '', label: 'Add filter…' },
            ...names.map((name) => ({ group: name, items: valuesOf(series, name) })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const [name, text] = JSON.parse(value) as [string, string]
            onChange(withLabel(search, name, text))
          }}
        />
      )}
      <Chips
        filters={Object.entries(labelFilters(search)).map(([name, value]) => ({
          key: name,
          text: `${name}: ${value}`,
          onRemove: () => onChange(withLabel(search, name, undefined)),
        }))}
      />
    </div>
  )
}

/** Options as JSON pairs, because names and values can contain any character. */
function valuesOf(series: readonly MetricSeries[], name: string) {
  const values = new Set(series.flatMap((one) => labelsOf(one)[name] ?? []))
  return [...values]
    .sort()
    .slice(0, 100)
    .map((value) => ({ value: JSON.stringify([name, value]), label: value || '(empty)' }))
}
