import type { ReactNode } from 'react'
import type { ChartFrame, ChartPick, ChartSeries } from './chart-series.ts'

/*
 * What a chart is given.
 */

export interface ChartProps {
  /** What the chart shows: its heading. */
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly frame: ChartFrame
  readonly formatValue: (value: number) => string
  readonly formatAt: (instantMs: number) => string
  /** Told when a step is pressed, with a pointer in the drawing or by its button in the table. */
  readonly onPick?: (pick: ChartPick) => void
  /** Told when a mark is pressed: its place in its series. The table has no marks: list them beside the chart. */
  readonly onMark?: (seriesId: string, index: number) => void
  /** Told when a stretch of time was drawn over, in whole steps. */
  readonly onRange?: (fromMs: number, toMs: number) => void
  readonly heightPx?: number
  /** What stands beside the title. */
  readonly aside?: ReactNode
}
