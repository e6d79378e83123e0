import { omitUndefined } from '@assay/account/routes/search-params.ts'
import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import type { Metric } from '@assay/contract/metrics.ts'
import { EmptyState } from '@assay/ui/EmptyState.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { IconArrowLeft, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type MetricResult, metricQuery } from '../../api/metrics.ts'
import { BackwardRange } from '../../filter/BackwardRange.tsx'
import { isBackward } from '../../filter/time-range.ts'
import page from '../../page/page.module.css'
import { ExemplarList } from './ExemplarList.tsx'
import { MetricChart } from './MetricChart.tsx'
import { MetricControls } from './MetricControls.tsx'
import { formatKind } from './metric-format.ts'
import { toExemplars } from './metric-lines.ts'
import { labelFilters, type MetricSearch, toQueryParams, type ViewProps } from './metric-search.ts'
import styles from './metrics.module.css'
import { SeriesTable } from './SeriesTable.tsx'

interface Props extends ViewProps {
  /** The list entry; undefined if the metric is not in the list. */
  readonly known: Metric | undefined
}

export function MetricView({ known, ...view }: Props) {
  const { projectId, name, search } = view
  const { range, from, to, service, where, find } = search
  const key = { range, from, to, service, where }
  const [openedMs] = useState(() => Date.now())
  const isInvalid = isBackward(search, openedMs)
  const query = useQuery({
    ...metricQuery(projectId, name, key, (nowMs) => toQueryParams(search, nowMs)),
    enabled: !isInvalid,
  })
  const result = useMemo(() => query.data && filterKind(query.data, search), [query.data, search])
  return (
    <>
      <header>
        <Link
          to="/p/$projectId/metrics"
          params={{ projectId }}
          search={omitUndefined({ find })}
          className={styles.back}
        >
          <IconArrowLeft size={14} aria-hidden /> All metrics
        </Link>
        <h2 className={page.heading}>{name}</h2>
        {known !== undefined && (
          <p className={page.note}>
            {known.description !== '' && `${known.description} · `}
            {formatKind(known)}
          </p>
        )}
      </header>
      <MetricControls {...view} series={result?.series ?? []} />
      {isInvalid ? (
        <BackwardRange />
      ) : query.isPending ? (
        <TableSkeleton rows={6} rowHeightPx={48} />
      ) : query.isError ? (
        <RequestProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : result === undefined || result.series.length === 0 ? (
        <EmptyState
          icon={<IconZoomExclamation size={20} stroke={1.75} />}
          title="No data in this time range"
        >
          Choose a longer time range
          {labelFilters(search).size > 0 && ' or remove filters'}.
        </EmptyState>
      ) : (
        <Result {...view} result={result} />
      )}
    </>
  )
}

function Result({ result, ...view }: ViewProps & { readonly result: MetricResult }) {
  const { series, total } = result
  const exemplars = useMemo(() => toExemplars(result), [result])
  return (
    <>
      {total > series.length && (
        <p className={page.note} role="note">
          Showing {series.length} of {total} series. Filter by service or attribute to see the
          others.
        </p>
      )}
      <MetricChart {...view} result={result} exemplars={exemplars} />
      <SeriesTable {...view} series={series} />
      <ExemplarList projectId={view.projectId} exemplars={exemplars} unit={series[0]?.unit ?? ''} />
    </>
  )
}

/** Metrics of several kinds and units can share a name: keeps the series of the chosen one. */
function filterKind(result: MetricResult, search: MetricSearch): MetricResult {
  const { kind = result.series[0]?.kind, unit = result.series[0]?.unit } = search
  const series = result.series.filter((one) => one.kind === kind && one.unit === unit)
  return { ...result, series, total: result.total - result.series.length + series.length }
}
