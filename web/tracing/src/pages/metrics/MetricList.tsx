import { omitUndefined, updateSearch } from '@assay/account/routes/search-params.ts'
import type { Metric } from '@assay/contract/metrics.ts'
import { Highlighted } from '@assay/ui/Highlighted.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import { IconSearch } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { MetricNames } from '../../api/metrics.ts'
import { TextFilter } from '../../filter/TextFilter.tsx'
import page from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatKind, formatSeriesCount } from './metric-format.ts'
import { isChosen, type MetricSearch, type ViewProps } from './metric-search.ts'
import styles from './metrics.module.css'

interface Props extends Omit<ViewProps, 'name'> {
  readonly names: UseQueryResult<MetricNames>
}

/** A searchable list of metrics. */
export function MetricList({ projectId, names, search, onChange }: Props) {
  const { find = '' } = search
  const rows = useMemo(() => filterMetrics(names.data?.metrics, find), [names.data, find])
  return (
    <nav className={styles.list} aria-label="Metrics">
      <h1 className={page.title}>Metrics</h1>
      <TextFilter
        label="Search metrics"
        leftSection={<IconSearch size={14} />}
        value={find}
        onChange={(text) => onChange(updateSearch(search, { find: text }))}
      />
      <DataTable
        caption="Metrics"
        noun={['metric', 'metrics']}
        countNote={names.data?.isCut === true && ' (list truncated)'}
        rows={{ ...names, data: rows }}
        columns={[
          {
            key: 'metric',
            header: 'Metric',
            cell: (metric) => <MetricLink {...{ projectId, metric, search }} />,
          },
        ]}
        rowKey={({ name, kind, unit }) => `${name} ${kind} ${unit}`}
        rowHeightPx={54}
        isRowClickable
        isFilling
        empty={<p className={page.note}>No matching metrics</p>}
      />
    </nav>
  )
}

function filterMetrics(metrics: readonly Metric[] | undefined, find: string) {
  const searchText = find.toLowerCase()
  return metrics?.filter(({ name, description }) =>
    [name, description].some((text) => text.toLowerCase().includes(searchText)),
  )
}

interface LinkProps {
  readonly projectId: string
  readonly metric: Metric
  readonly search: MetricSearch
}

/** Switching to another metric keeps only the time range and the search. */
function MetricLink({ projectId, metric, search }: LinkProps) {
  const { name, kind, unit, series_count } = metric
  const { range, from, to, find } = search
  return (
    <TwoLines below={`${formatKind(metric)} · ${formatSeriesCount(series_count)} series`}>
      <Link
        to="/p/$projectId/metrics"
        params={{ projectId }}
        search={omitUndefined({ range, from, to, find, metric: name, kind, unit })}
        className={page.link}
        aria-current={isChosen(search, metric) ? 'true' : undefined}
        title={name}
      >
        <Highlighted text={name} searchText={find ?? ''} />
      </Link>
    </TwoLines>
  )
}
