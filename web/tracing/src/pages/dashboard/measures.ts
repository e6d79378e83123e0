import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import {
  type AxisScale,
  costAxis,
  countAxis,
  durationAxis,
  shareAxis,
} from '@assay/ui/value-axis.ts'
import type { Stats } from '../../api/stats.ts'
import { formatTotalCost } from '../../parts/unpriced-calls.ts'

/*
 * The metrics of a time bucket or a group of traces.
 */

type Bucket = Stats['buckets'][number]

/** `count` counts traces, or calls for a model. */
export interface Aggregates extends Omit<Bucket, 'started_at' | 'trace_count'> {
  readonly count: number
}

export interface Measure {
  readonly label: string
  readonly of: (aggregates: Aggregates) => number | null
  readonly format: (value: number) => string
  readonly axis: AxisScale
  /** The value of a bucket without traces. */
  readonly emptyValue: 0 | null
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

export const measures = {
  runs: {
    label: 'Traces',
    of: ({ count }) => count,
    format: formatTokens,
    axis: countAxis,
    emptyValue: 0,
  },
  errors: {
    label: 'Errors',
    of: (one) => one.error_count,
    format: formatTokens,
    axis: countAxis,
    emptyValue: 0,
  },
  error_rate: {
    ...{
      label: 'Error rate',
      format: (value) => percent.format(value),
      axis: shareAxis,
      emptyValue: null,
    },
    of: ({ error_count, count }) => (count === 0 ? null : error_count / count),
  },
  p50: latency('p50'),
  p90: latency('p90'),
  p99: latency('p99'),
  tokens: {
    ...{ label: 'Tokens', format: formatTokens, axis: countAxis, emptyValue: 0 },
    of: ({ tokens_in, tokens_out }) => tokens_in + tokens_out,
  },
  tokens_in: {
    label: 'Input tokens',
    of: (one) => one.tokens_in,
    format: formatTokens,
    axis: countAxis,
    emptyValue: 0,
  },
  tokens_out: {
    ...{ label: 'Output tokens', format: formatTokens, axis: countAxis, emptyValue: 0 },
    of: ({ tokens_out }) => tokens_out,
  },
  cost: { label: 'Cost', of: knownCost, format: formatCost, axis: costAxis, emptyValue: 0 },
  unpriced: {
    ...{ label: 'Unpriced calls', format: formatCount, axis: countAxis, emptyValue: 0 },
    of: ({ unpriced_call_count }) => unpriced_call_count,
  },
} as const satisfies Readonly<Record<string, Measure>>

export type MeasureId = keyof typeof measures

export const measureIds = Object.keys(measures) as readonly MeasureId[]

export function isMeasure(text: string): text is MeasureId {
  return Object.hasOwn(measures, text)
}

function latency(quantile: 'p50' | 'p90' | 'p99'): Measure {
  return {
    ...{
      label: `Latency ${quantile}`,
      format: formatDuration,
      axis: durationAxis,
      emptyValue: null,
    },
    of: ({ latency_ms }) => latency_ms[quantile],
  }
}

/** Null if there were calls and none has a price: unknown is not zero. */
function knownCost({ cost_usd, model_call_count, unpriced_call_count }: Aggregates): number | null {
  const isUnknown = cost_usd === 0 && unpriced_call_count > 0
  return isUnknown && unpriced_call_count >= model_call_count ? null : cost_usd
}

/** A dash for an unknown cost, a lower bound for a partly unknown one. */
export function formatAggregateCost(aggregates: Aggregates): string {
  return formatTotalCost(knownCost(aggregates), aggregates)
}

/** Quantiles cannot be summed. */
export function sumAggregates(all: readonly Aggregates[]): Aggregates {
  const sum = (of: (aggregates: Aggregates) => number) =>
    all.reduce((total, aggregates) => total + of(aggregates), 0)
  return {
    count: sum((one) => one.count),
    error_count: sum((one) => one.error_count),
    model_call_count: sum((one) => one.model_call_count),
    unpriced_call_count: sum((one) => one.unpriced_call_count),
    tokens_in: sum((one) => one.tokens_in),
    tokens_out: sum((one) => one.tokens_out),
    cost_usd: sum((one) => one.cost_usd),
    latency_ms: { p50: null, p90: null, p99: null },
  }
}

/** The change from the previous period; undefined if either value is unknown. */
export function changeBetween(
  { of }: Pick<Measure, 'of'>,
  current: Aggregates,
  previous: Aggregates,
): string | undefined {
  if (previous.count === 0) return 'No earlier data'
  const [now, before] = [of(current), of(previous)]
  if (now === null || before === null) return undefined
  if (before === 0) return now === 0 ? 'No change' : '0 in the previous period'
  const ratio = now / before
  const share = Math.round((ratio - 1) * 100)
  if (share === 0) return 'No change'
  const factor = `×${ratio.toFixed(ratio < 10 ? 1 : 0)}`
  const change = ratio >= 3 ? factor : `${share > 0 ? '+' : '−'}${Math.abs(share)}%`
  return `${change} vs. previous period`
}
