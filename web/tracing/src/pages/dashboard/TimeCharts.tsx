import { Chart } from '@assay/ui/Chart.tsx'
import type { ChartProps } from '@assay/ui/chart-props.ts'
import type { ChartPick } from '@assay/ui/chart-series.ts'
import { formatCost, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration, formatLocal } from '@assay/ui/time-format.ts'
import { useMemo } from 'react'
import type { Stats } from '../../api/figures.ts'
import styles from './dashboard.module.css'
import { frameOf, measures, seriesOf } from './stats-series.ts'

interface Props {
  readonly stats: Stats
  readonly onPick: (pick: ChartPick) => void
  readonly onRange: (fromMs: number, toMs: number) => void
}

/** Runs, latency, tokens and cost over time. */
export function TimeCharts({ stats, onPick, onRange }: Props) {
  const charts = useMemo(() => chartsOf(stats), [stats])
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} {...{ formatAt, onPick, onRange }} />
      ))}
    </div>
  )
}

function formatAt(instantMs: number): string {
  return formatLocal(instantMs, Date.now()).slice(0, -3)
}

type Fixed = Pick<ChartProps, 'title' | 'series' | 'frame' | 'formatValue'>

function chartsOf(stats: Stats): readonly Fixed[] {
  const frame = frameOf(stats)
  const { succeeded, failed, p50, p90, p99, tokensIn, tokensOut, cost } = measures
  const stacked = { form: 'bar', stack: 'all' } as const
  return [
    {
      ...{ title: 'Runs', frame, formatValue: formatTokens },
      series: [seriesOf(stats, succeeded, stacked), seriesOf(stats, failed, stacked)],
    },
    {
      ...{ title: 'Latency', frame, formatValue: formatDuration },
      series: [p50, p90, p99].map((one) => seriesOf(stats, one, { form: 'line' })),
    },
    {
      ...{ title: 'Tokens', frame, formatValue: formatTokens },
      series: [seriesOf(stats, tokensIn, stacked), seriesOf(stats, tokensOut, stacked)],
    },
    {
      ...{ title: 'Cost', frame, formatValue: formatCost },
      series: [seriesOf(stats, cost, { form: 'bar' })],
    },
  ]
}
