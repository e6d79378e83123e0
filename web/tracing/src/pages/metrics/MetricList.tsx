import type { Metric } from '@assay/contract/metrics.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { Highlighted } from '@assay/ui/Highlighted.tsx'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { MetricNames } from '../../api/metrics.ts'
import { useDebouncedInput } from '../../filter/use-debounced-input.ts'
import { updateSearch } from '../../search-params.ts'
import { formatUnit, kindLabels } from './metric-format.ts'
import type { MetricSearch } from './metric-search.ts'
import styles from './metrics.module.css'

interface Props {
  readonly projectId: string
  readonly names: MetricNames
  readonly search: MetricSearch
  readonly onChange: (next: MetricSearch) => void
}

const initialRows = 300

/** A searchable list of metrics. */
export function MetricList({ projectId, names: { metrics, isCut }, search, onChange }: Props) {
  const [isWhole, setWhole] = useState(false)
  const find = useDebouncedInput(search.find ?? '', (text) => {
    onChange(updateSearch(search, { find: text || undefined }))
  })
  const searchText = find.text.trim().toLowerCase()
  const found = metrics.filter(
    ({ name, description }) =>
      name.toLowerCase().includes(searchText) || description.toLowerCase().includes(searchText),
  )
  const shown = isWhole ? found : found.slice(0, initialRows)
  return (
    <nav className={styles.list} aria-label="Metrics">
      <h1 className={styles.title}>Metrics</h1>
      <TextInput
        size="xs"
        placeholder="Search metrics"
        aria-label="Search metrics"
        leftSection={<IconSearch size={14} />}
        value={find.text}
        onChange={(event) => find.type(event.currentTarget.value)}
        onBlur={find.flush}
      />
      <p className={styles.count} role="status">
        {searchText === ''
          ? countOf(metrics.length, 'metric')
          : `${found.length} of ${countOf(metrics.length, 'metric')}`}
        {isCut && ' (list truncated)'}
      </p>
      <ul className={styles.names}>
        {shown.map((metric) => (
          <li key={`${metric.name} ${metric.kind} ${metric.unit}`}>
            <NameLink {...{ projectId, metric, search }} searchText={find.text.trim()} />
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" className={styles.plain} onClick={() => setWhole(true)}>
          Show all {found.length}
        </button>
      )}
    </nav>
  )
}

interface NameLinkProps {
  readonly projectId: string
  readonly metric: Metric
  readonly search: MetricSearch
  readonly searchText: string
}

/** Switching to another metric keeps only the time range and the search. */
function NameLink({ projectId, metric, search, searchText }: NameLinkProps) {
  const { name, kind, unit, series_count } = metric
  const { range, from, to, find } = search
  const isChosen =
    search.metric === name &&
    (search.kind === undefined || search.kind === kind) &&
    (search.unit === undefined || search.unit === unit)
  return (
    <Link
      to="/p/$projectId/metrics"
      params={{ projectId }}
      search={{
        ...(range === undefined ? {} : { range }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(find === undefined ? {} : { find }),
        ...{ metric: name, kind, unit },
      }}
      className={styles.metric}
      aria-current={isChosen ? 'true' : undefined}
      title={name}
    >
      <span className={styles.metricName}>
        <Highlighted text={name} searchText={searchText} />
      </span>
      <span className={styles.small}>
        {kindLabels[kind]}
        {formatUnit(unit) !== '' && ` · ${formatUnit(unit)}`} · {series_count} series
      </span>
    </Link>
  )
}
