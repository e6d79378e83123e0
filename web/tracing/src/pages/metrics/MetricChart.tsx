import { Chart } from '@assay/ui/Chart.tsx'
import type { ChartSeries } from '@assay/ui/chart-series.ts'
import { formatLocal } from '@assay/ui/time-format.ts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { MetricResult } from '../../api/metrics.ts'
import { formatterOf } from './metric-format.ts'
import { type ChartExemplar, frameOf, linesOf } from './metric-lines.ts'
import { isInUnit, readingLabels, readingsOf } from './metric-readings.ts'
import type { ViewProps } from './metric-view.ts'
import styles from './metrics.module.css'

interface Props extends ViewProps {
  readonly result: MetricResult
  readonly exemplars: readonly ChartExemplar[]
}

/** A line chart of a metric with exemplars that link to their traces. */
export function MetricChart({ projectId, name, search, onChange, result, exemplars }: Props) {
  const navigate = useNavigate()
  const first = result.series[0]
  const unit = first?.unit ?? ''
  const reading = search.show ?? (first === undefined ? 'avg' : readingsOf(first)[0]) ?? 'avg'
  const { lines, hiddenCount } = useMemo(
    () => linesOf(result, reading, search.group),
    [result, reading, search.group],
  )
  const frame = useMemo(() => frameOf(result), [result])
  const formatValue = useMemo(() => formatterOf(reading, unit), [reading, unit])
  const series = useMemo(
    () => (isInUnit(reading) && exemplars.length > 0 ? [...lines, marksOf(exemplars)] : lines),
    [lines, exemplars, reading],
  )
  return (
    <>
      <Chart
        title={`${name}: ${readingLabels[reading]}`}
        {...{ series, frame, formatValue }}
        formatAt={(instantMs) => formatLocal(instantMs, Date.now())}
        heightPx={300}
        onMark={(_seriesId, index) => {
          const picked = exemplars[index]
          if (picked === undefined) return
          void navigate({
            to: '/p/$projectId/traces/$traceId',
            params: { projectId, traceId: picked.traceId },
            search: picked.spanId === null ? {} : { span: picked.spanId },
          })
        }}
        onRange={(fromMs, toMs) => {
          const { range: _, ...rest } = search
          const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
          onChange({ ...rest, from, to })
        }}
      />
      {hiddenCount > 0 && (
        <p className={styles.limit} role="note">
          Showing the {lines.length} largest series. The other {hiddenCount} are in the table below.
        </p>
      )}
    </>
  )
}

function marksOf(exemplars: readonly ChartExemplar[]): ChartSeries {
  const points = exemplars.map(({ at, value }) => ({ at, value }))
  return { id: 'exemplars', name: 'Exemplars', form: 'mark', color: 'var(--kind-pink)', points }
}
