import { NativeSelect } from '@mantine/core'
import type { MetricResult } from '../../api/metrics.ts'
import { Chips } from '../../filter/Chips.tsx'
import { updateSearch } from '../../search-params.ts'
import { labelNames, labelsOf } from './metric-lines.ts'
import { canCombine, readingLabels, readings, readingsOf } from './metric-readings.ts'
import { parseWhere, serviceKey, withLabel, withWhere } from './metric-search.ts'
import type { ViewProps } from './metric-view.ts'

interface Props extends ViewProps {
  readonly result: MetricResult
}

/** Chooses the aggregation, the grouping and the filters of a metric. */
export function MetricControls({ search, onChange, result: { series } }: Props) {
  const first = series[0]
  const offered = first === undefined ? [] : readingsOf(first)
  const names = labelNames(series)
  const shown = search.show ?? offered[0]
  return (
    <>
      {offered.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Aggregation"
          data={offered.map((one) => ({ value: one, label: readingLabels[one] }))}
          value={shown ?? ''}
          onChange={({ currentTarget: { value } }) => {
            onChange(updateSearch(search, { show: readings.find((one) => one === value) }))
          }}
        />
      )}
      {names.length > 0 && series.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Group by"
          disabled={shown !== undefined && !canCombine(shown)}
          title={
            shown !== undefined && !canCombine(shown)
              ? 'Quantiles cannot be combined across series'
              : undefined
          }
          data={[
            { value: '', label: 'No grouping' },
            ...names.map((name) => ({ value: name, label: `Group by ${name}` })),
          ]}
          value={search.group ?? ''}
          onChange={({ currentTarget: { value } }) => {
            onChange(updateSearch(search, { group: value || undefined }))
          }}
        />
      )}
      {names.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Add filter"
          data={[
            { value: '', label: 'Add filter…' },
            ...names.map((name) => ({ group: name, items: valuesOf(series, name) })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const pair: unknown = value === '' ? undefined : JSON.parse(value)
            if (Array.isArray(pair)) onChange(withLabel(search, String(pair[0]), String(pair[1])))
          }}
        />
      )}
      <Filters search={search} onChange={onChange} />
    </>
  )
}

/** Options as JSON pairs, because names and values can contain any character. */
function valuesOf(series: MetricResult['series'], name: string) {
  const values = new Set(series.flatMap((one) => labelsOf(one)[name] ?? []))
  return [...values]
    .sort()
    .slice(0, 100)
    .map((value) => ({
      value: JSON.stringify([name, value]),
      label: value === '' ? '(empty)' : value,
    }))
}

type FiltersProps = Pick<ViewProps, 'search' | 'onChange'>

function Filters({ search, onChange }: FiltersProps) {
  const { service: _, ...withoutService } = search
  const filters = [
    ...(search.service === undefined
      ? []
      : [{ name: serviceKey, value: search.service, without: withoutService }]),
    ...Object.entries(parseWhere(search.where)).map(([name, value]) => ({
      ...{ name, value },
      without: withWhere(search, name, undefined),
    })),
  ]
  return (
    <Chips
      filters={filters.map(({ name, value, without }) => ({
        key: name,
        text: `${name}: ${value}`,
        onRemove: () => onChange(without),
      }))}
    />
  )
}
