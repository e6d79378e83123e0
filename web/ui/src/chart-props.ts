import type { ReactNode } from 'react'
import type { ChartFrame, ChartPick, ChartSeries } from './chart-series.ts'
import type { AxisScale } from './value-axis.ts'

/*
 * The props of a chart.
 */

export interface ChartProps {
  /** The heading of the chart. */
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly frame: ChartFrame
  readonly formatValue: (value: number) => string
  /** Starts the value axis at zero; otherwise it starts at the smallest value and its labels are like the values. */
  readonly axis?: AxisScale
  /** Called when a step is selected, in the drawing or by its button in the table. */
  readonly onPick?: (pick: ChartPick) => void
  /**
   * Called with the index of a clicked mark in its series. The table has no marks: list them next to the
   * chart.
   */
  readonly onMark?: (seriesId: string, index: number) => void
  /** Called when a time range is brushed, in whole steps. */
  readonly onRange?: (fromMs: number, toMs: number) => void
  readonly heightPx?: number
  /** Content next to the title. */
  readonly aside?: ReactNode
}
