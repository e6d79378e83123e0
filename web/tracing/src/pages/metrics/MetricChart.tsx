import { Chart } from '@assay/ui/Chart.tsx'
import type { ChartSeries } from '@assay/ui/chart-series.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { MetricResult } from '../../api/metrics.ts'
import { timeBetween, withTime } from '../../filter/time-range.ts'
import page from '../../page/page.module.css'
import { spanLink } from '../../parts/span-link.ts'
import { aggregationLabels, isInUnit, listAggregations } from './metric-aggregations.ts'
import { getFormatter } from './metric-format.ts'
import { type ChartExemplar, toChartFrame, toLines } from './metric-lines.ts'
import type { ViewProps } from './metric-search.ts'

interface Props extends ViewProps {
  readonly result: MetricResult
  readonly exemplars: readonly ChartExemplar[]
}

/** A line chart of a metric with exemplars that link to their traces. */
export function MetricChart({ projectId, name, search, onChange, result, exemplars }: Props) {
  const navigate = useNavigate()
  const first = result.series[0]
  const unit = first?.unit ?? ''
  const aggregation =
    search.show ?? (first === undefined ? 'avg' : listAggregations(first)[0]) ?? 'avg'
  const { lines, hiddenCount } = useMemo(
    () => toLines(result, aggregation, search.group),
    [result, aggregation, search.group],
  )
  const frame = useMemo(() => toChartFrame(result), [result])
  const formatValue = useMemo(() => getFormatter(aggregation, unit), [aggregation, unit])
  const series = useMemo(
    () => (isInUnit(aggregation) && exemplars.length > 0 ? [...lines, toMarks(exemplars)] : lines),
    [lines, exemplars, aggregation],
  )
  return (
    <>
      <Chart
        title={`${name}: ${aggregationLabels[aggregation]}`}
        {...{ series, frame, formatValue }}
        heightPx={300}
        onMark={(_seriesId, index) => {
          const exemplar = exemplars[index]
          if (exemplar === undefined) return
          void navigate(spanLink(projectId, exemplar.traceId, exemplar.spanId))
        }}
        onRange={(fromMs, toMs) => onChange(withTime(search, timeBetween(fromMs, toMs)))}
      />
      {hiddenCount > 0 && (
        <p className={page.note} role="note">
          Showing the {lines.length} largest series. The other {hiddenCount} are in the table below.
        </p>
      )}
    </>
  )
}

function toMarks(exemplars: readonly ChartExemplar[]): ChartSeries {
  const points = exemplars.map(({ at, value }) => ({ at, value }))
  return { id: 'exemplars', name: 'Exemplars', form: 'mark', color: 'var(--kind-pink)', points }
}
