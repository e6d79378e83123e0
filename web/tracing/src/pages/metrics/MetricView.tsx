import { ApiError } from '@assay/contract/client.ts'
import type { Metric } from '@assay/contract/metrics.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconArrowLeft, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type MetricResult, metricQuery } from '../../api/metrics.ts'
import { TimeRange } from '../../filter/TimeRange.tsx'
import { timeOf, withTime } from '../../filter/time-range.ts'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { ExemplarList } from './ExemplarList.tsx'
import { MetricChart } from './MetricChart.tsx'
import { MetricControls } from './MetricControls.tsx'
import { formatUnit, kindLabels } from './metric-format.ts'
import { exemplarsOf } from './metric-lines.ts'
import { defaultRange, type MetricSearch, toQueryParams } from './metric-search.ts'
import type { ViewProps } from './metric-view.ts'
import styles from './metrics.module.css'
import { SeriesTable } from './SeriesTable.tsx'

interface Props extends ViewProps {
  /** The list entry; undefined if the metric is not in the list. */
  readonly known: Metric | undefined
}

export function MetricView({ known, ...view }: Props) {
  const { projectId, name, search, onChange } = view
  const { range, from, to, service, where } = search
  const key = { range, from, to, service, where }
  const query = useQuery(metricQuery(projectId, name, key, (nowMs) => toQueryParams(search, nowMs)))
  const result = useMemo(() => toResult(query.data, search), [query.data, search])

  return (
    <>
      <header className={styles.head}>
        <Link
          to="/p/$projectId/metrics"
          params={{ projectId }}
          search={search.find === undefined ? {} : { find: search.find }}
          className={styles.back}
        >
          <IconArrowLeft size={14} aria-hidden /> All metrics
        </Link>
        <h2 className={styles.name}>{name}</h2>
        {known !== undefined && (
          <p className={styles.lead}>
            {known.description !== '' && `${known.description} · `}
            {kindLabels[known.kind]}
            {formatUnit(known.unit) !== '' && `, in ${formatUnit(known.unit)}`}
          </p>
        )}
      </header>
      <div className={styles.controls}>
        <TimeRange
          search={timeOf(search, defaultRange)}
          isBounded
          onChange={(time) => onChange(withTime(search, time))}
        />
        {result !== undefined && <MetricControls {...view} result={result} />}
      </div>
      {query.isPending ? (
        <TableSkeleton rows={6} rowHeightPx={48} />
      ) : query.isError ? (
        <MetricProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : result === undefined || result.series.length === 0 ? (
        <EmptyState
          icon={<IconZoomExclamation size={20} stroke={1.75} />}
          title="No data in this time range"
        >
          {service === undefined && where === undefined
            ? 'Choose a longer time range.'
            : 'Choose a longer time range or remove filters.'}
        </EmptyState>
      ) : (
        <Figures {...view} result={result} />
      )}
    </>
  )
}

function Figures({ result, ...view }: ViewProps & { readonly result: MetricResult }) {
  const exemplars = useMemo(() => exemplarsOf(result), [result])
  return (
    <>
      {result.total > result.series.length && (
        <p className={styles.limit} role="note">
          Showing {result.series.length} of {result.total} series. Filter by service or attribute to
          see the others.
        </p>
      )}
      <MetricChart {...view} result={result} exemplars={exemplars} />
      <SeriesTable {...view} result={result} />
      <ExemplarList
        projectId={view.projectId}
        exemplars={exemplars}
        unit={result.series[0]?.unit ?? ''}
      />
    </>
  )
}

function MetricProblem({
  error,
  onRetry,
}: {
  readonly error: Error
  readonly onRetry: () => void
}) {
  const isTooLarge = error instanceof ApiError && error.status === 400
  if (!isTooLarge) return <RequestProblem error={error} onRetry={onRetry} />
  return (
    <EmptyState icon={<IconZoomExclamation size={20} stroke={1.75} />} title="Query too large">
      {error.message}
    </EmptyState>
  )
}

/** Metrics of several kinds and units can share a name: keeps the series of the chosen one. */
function toResult(
  result: MetricResult | undefined,
  search: MetricSearch,
): MetricResult | undefined {
  if (result === undefined) return undefined
  const { kind, unit } = search
  const first = result.series[0]
  const series = result.series.filter(
    (one) => one.kind === (kind ?? first?.kind) && one.unit === (unit ?? first?.unit),
  )
  const others = result.series.length - series.length
  return { ...result, series, total: result.total - others }
}
