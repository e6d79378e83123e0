import { Chart } from '@assay/ui/Chart.tsx'
import type { ChartPick } from '@assay/ui/chart-series.ts'
import { ActionIcon } from '@mantine/core'
import { IconUsersPlus, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Stats } from '../../api/stats.ts'
import { type CustomChart, formatChartTitle } from './custom-charts.ts'
import styles from './dashboard.module.css'
import { measures } from './measures.ts'
import { SplitBars } from './SplitBars.tsx'
import type { StatsFilters } from './stats-groups.ts'
import { toChartFrame, toSeries } from './stats-series.ts'

export interface ChartViewProps {
  readonly projectId: string
  readonly stats: Stats
  readonly filters: StatsFilters
  readonly onPick: (pick: ChartPick) => void
  readonly onRange: (fromMs: number, toMs: number) => void
}

interface Props extends ChartViewProps {
  readonly chart: CustomChart
  /** Undefined where the person may not remove it. */
  readonly onRemove: (() => void) | undefined
  /** Undefined where it is shared already, or the person may not share it. */
  readonly onShare?: (() => void) | undefined
}

export function CustomChartView(props: Props) {
  const { chart, projectId, stats, filters, onPick, onRange, onRemove, onShare } = props
  const measure = measures[chart.measure]
  const { label, format, axis } = measure
  const frame = useMemo(() => toChartFrame(stats), [stats])
  const series = useMemo(
    () => [
      toSeries(stats, measures[chart.measure], {
        id: chart.measure,
        name: label,
        form: chart.form,
      }),
    ],
    [stats, chart, label],
  )
  const title = formatChartTitle(chart)
  const actions = (
    <div className={styles.chartActions}>
      {onShare !== undefined && (
        <ActionIcon
          size="sm"
          aria-label={`Share ${title}`}
          title="Share with everyone in this project"
          onClick={onShare}
        >
          <IconUsersPlus size={14} />
        </ActionIcon>
      )}
      {onRemove !== undefined && (
        <ActionIcon size="sm" aria-label={`Remove ${title}`} title="Remove" onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </div>
  )
  if (chart.split !== 'time') {
    return (
      <SplitBars
        {...{ projectId, stats, filters, measure, title }}
        split={chart.split}
        aside={actions}
      />
    )
  }
  return (
    <Chart
      {...{ title, series, frame, axis, onPick, onRange }}
      formatValue={format}
      aside={actions}
    />
  )
}
