import { Chart } from '@assay/ui/Chart.tsx'
import type { ChartProps } from '@assay/ui/chart-props.ts'
import type { ChartPick } from '@assay/ui/chart-series.ts'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import { costAxis, countAxis, durationAxis } from '@assay/ui/value-axis.ts'
import { useMemo } from 'react'
import type { Stats } from '../../api/stats.ts'
import styles from './dashboard.module.css'
import { type Measure, measures } from './measures.ts'
import { toChartFrame, toSeries } from './stats-series.ts'

interface Props {
  readonly stats: Stats
  readonly onPick: (pick: ChartPick) => void
  readonly onRange: (fromMs: number, toMs: number) => void
}

export function TimeCharts({ stats, onPick, onRange }: Props) {
  const charts = useMemo(() => listCharts(stats), [stats])
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} {...{ onPick, onRange }} />
      ))}
    </div>
  )
}

type Fixed = Pick<ChartProps, 'title' | 'series' | 'frame' | 'formatValue' | 'axis'>

function listCharts(stats: Stats): readonly Fixed[] {
  const frame = toChartFrame(stats)
  const bars = (
    id: string,
    name: string,
    color: string,
    measure: Pick<Measure, 'of' | 'emptyValue'>,
  ) => toSeries(stats, measure, { id, name, color, form: 'bar', stack: 'all' })
  const line = (name: 'p50' | 'p90' | 'p99', color: string) =>
    toSeries(stats, measures[name], { id: name, name, color, form: 'line' })
  return [
    {
      ...{ title: 'Traces', frame, formatValue: formatTokens, axis: countAxis },
      series: [
        bars('ok', 'OK', 'var(--kind-indigo)', succeeded),
        bars('error', 'Error', 'var(--bad)', measures.errors),
      ],
    },
    {
      ...{ title: 'Latency', frame, formatValue: formatDuration, axis: durationAxis },
      series: [
        line('p50', 'var(--kind-teal)'),
        line('p90', 'var(--kind-indigo)'),
        line('p99', 'var(--kind-orange)'),
      ],
    },
    {
      ...{ title: 'Tokens', frame, formatValue: formatTokens, axis: countAxis },
      series: [
        bars('in', 'Input', 'var(--kind-blue)', measures.tokens_in),
        bars('out', 'Output', 'var(--kind-grape)', measures.tokens_out),
      ],
    },
    {
      ...{ title: 'Cost', frame, formatValue: formatCost, axis: costAxis },
      series: [bars('cost', 'Cost', 'var(--kind-green)', measures.cost)],
    },
  ]
}

const succeeded: Pick<Measure, 'of' | 'emptyValue'> = {
  of: ({ count, error_count }) => count - error_count,
  emptyValue: 0,
}
