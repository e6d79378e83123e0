import { type ChartFrame, type ChartSeries, everyStep } from '@assay/ui/chart-series.ts'
import type { Stats } from '../../api/figures.ts'
import { type Figures, type Measure, sumOf } from './measures.ts'

/*
 * The figures of a project as series over time.
 */

const bucketMs = { minute: 60_000, '5m': 300_000, hour: 3_600_000, day: 86_400_000 } as const

export function frameOf({ from, to, bucket }: Stats): ChartFrame {
  return {
    ...{ from: Date.parse(from), to: Date.parse(to) },
    ...{ stepMs: bucketMs[bucket], fromZero: true },
  }
}

function figuresAt({ trace_count, ...figures }: Stats['buckets'][number]): Figures {
  return { ...figures, count: trace_count }
}

/** Over the whole range, but for what cannot be added up. */
export function totalOf({ buckets }: Stats): Figures {
  return sumOf(buckets.map(figuresAt))
}

/** A measure in every bucket, those without traces included. */
export function seriesOf(
  stats: Stats,
  { of, otherwise }: Pick<Measure, 'of' | 'otherwise'>,
  look: Omit<ChartSeries, 'points'>,
): ChartSeries {
  const values = new Map(
    stats.buckets.map((one) => [Date.parse(one.started_at), of(figuresAt(one))]),
  )
  return { ...look, points: everyStep(frameOf(stats), values, otherwise) }
}
