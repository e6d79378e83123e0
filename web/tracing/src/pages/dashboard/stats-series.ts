import { type ChartFrame, type ChartSeries, everyStep } from '@assay/ui/chart-series.ts'
import type { Stats } from '../../api/figures.ts'

/*
 * The figures of a project as series over time.
 */

export type Bucket = Stats['buckets'][number]

const bucketMs = { hour: 3_600_000, day: 86_400_000 } as const satisfies Record<
  Stats['bucket'],
  number
>

export function frameOf({ from, to, bucket }: Stats): ChartFrame {
  return {
    ...{ from: Date.parse(from), to: Date.parse(to) },
    stepMs: bucketMs[bucket],
    fromZero: true,
  }
}

export interface Measure {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly of: (bucket: Bucket) => number | null
  /** What a bucket without traces has. */
  readonly otherwise: 0 | null
}

/** A measure in every bucket, those without traces included. */
export function seriesOf(
  stats: Stats,
  { id, name, color, of, otherwise }: Measure,
  look: Pick<ChartSeries, 'form' | 'stack'>,
): ChartSeries {
  const values = new Map(stats.buckets.map((one) => [Date.parse(one.started_at), of(one)]))
  return { id, name, color, ...look, points: everyStep(frameOf(stats), values, otherwise) }
}

export const measures = {
  succeeded: {
    ...{ id: 'ok', name: 'OK', color: 'var(--kind-indigo)', otherwise: 0 },
    of: ({ trace_count, error_count }) => trace_count - error_count,
  },
  failed: {
    ...{ id: 'error', name: 'Error', color: 'var(--bad)', otherwise: 0 },
    of: ({ error_count }) => error_count,
  },
  p50: {
    ...{ id: 'p50', name: 'p50', color: 'var(--kind-teal)', otherwise: null },
    of: ({ latency_ms }) => latency_ms.p50,
  },
  p90: {
    ...{ id: 'p90', name: 'p90', color: 'var(--kind-indigo)', otherwise: null },
    of: ({ latency_ms }) => latency_ms.p90,
  },
  p99: {
    ...{ id: 'p99', name: 'p99', color: 'var(--kind-orange)', otherwise: null },
    of: ({ latency_ms }) => latency_ms.p99,
  },
  tokensIn: {
    ...{ id: 'in', name: 'In', color: 'var(--kind-blue)', otherwise: 0 },
    of: ({ tokens_in }) => tokens_in,
  },
  tokensOut: {
    ...{ id: 'out', name: 'Out', color: 'var(--kind-grape)', otherwise: 0 },
    of: ({ tokens_out }) => tokens_out,
  },
  cost: {
    ...{ id: 'cost', name: 'Cost', color: 'var(--kind-green)', otherwise: 0 },
    of: knownCost,
  },
} as const satisfies Readonly<Record<string, Measure>>

/** Null where calls were made and none of them has a price: what is not known is not nothing. */
export function knownCost({
  cost_usd,
  model_call_count,
  unpriced_call_count,
}: Pick<Bucket, 'cost_usd' | 'model_call_count' | 'unpriced_call_count'>): number | null {
  const isUnknown = cost_usd === 0 && unpriced_call_count > 0
  return isUnknown && unpriced_call_count >= model_call_count ? null : cost_usd
}
