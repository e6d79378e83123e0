import { formatCost, formatCount, formatTokens } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'
import type { Stats } from '../../api/stats.ts'

/*
 * What can be told of a bucket of time, a name, an environment or a model: the same figures everywhere.
 */

type Bucket = Stats['buckets'][number]

/** `count` is of traces, or of calls where the figures are a model's. */
export interface Aggregates extends Omit<Bucket, 'started_at' | 'trace_count'> {
  readonly count: number
}

export interface Measure {
  readonly word: string
  readonly of: (aggregates: Aggregates) => number | null
  readonly format: (value: number) => string
  /** What a time without traces has. */
  readonly emptyValue: 0 | null
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

export const measures = {
  runs: { word: 'Runs', of: ({ count }) => count, format: formatTokens, emptyValue: 0 },
  errors: { word: 'Errors', of: (one) => one.error_count, format: formatTokens, emptyValue: 0 },
  error_rate: {
    ...{ word: 'Error rate', format: (value) => percent.format(value), emptyValue: null },
    of: ({ error_count, count }) => (count === 0 ? null : error_count / count),
  },
  p50: latency('p50'),
  p90: latency('p90'),
  p99: latency('p99'),
  tokens: {
    ...{ word: 'Tokens', format: formatTokens, emptyValue: 0 },
    of: ({ tokens_in, tokens_out }) => tokens_in + tokens_out,
  },
  tokens_in: { word: 'Tokens in', of: (one) => one.tokens_in, format: formatTokens, emptyValue: 0 },
  tokens_out: {
    ...{ word: 'Tokens out', format: formatTokens, emptyValue: 0 },
    of: ({ tokens_out }) => tokens_out,
  },
  cost: { word: 'Cost', of: knownCost, format: formatCost, emptyValue: 0 },
  unpriced: {
    ...{ word: 'Calls without a price', format: formatCount, emptyValue: 0 },
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
    ...{ word: `Latency ${quantile}`, format: formatDuration, emptyValue: null },
    of: ({ latency_ms }) => latency_ms[quantile],
  }
}

/** Null where calls were made and none of them has a price: what is not known is not nothing. */
function knownCost({ cost_usd, model_call_count, unpriced_call_count }: Aggregates): number | null {
  const isUnknown = cost_usd === 0 && unpriced_call_count > 0
  return isUnknown && unpriced_call_count >= model_call_count ? null : cost_usd
}

/** A cost as it may be told: a dash when nothing is known of it, at least so much when a part is missing. */
export function formatTotalCost(aggregates: Aggregates): string {
  const usd = knownCost(aggregates)
  if (usd === null || aggregates.unpriced_call_count === 0) return formatCost(usd)
  return `≥ ${formatCost(usd)}`
}

/** What may be added up over figures; quantiles may not. */
export function sumOf(all: readonly Aggregates[]): Aggregates {
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

export interface Change {
  /** `+12%`, `−3%`, `×4.2`, `new`, `no change`. */
  readonly word: string
  readonly direction: 'up' | 'down' | 'same'
}

/** How a value has moved since the period before; undefined where that cannot be said. */
export function changeOf(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  if (now === before) return { word: 'no change', direction: 'same' }
  if (before === 0) return { word: 'new', direction: 'up' }
  const ratio = now / before
  if (ratio >= 3) return { word: `×${ratio.toFixed(ratio < 10 ? 1 : 0)}`, direction: 'up' }
  const share = Math.round((ratio - 1) * 100)
  if (share === 0) return { word: 'no change', direction: 'same' }
  return share > 0
    ? { word: `+${share}%`, direction: 'up' }
    : { word: `−${-share}%`, direction: 'down' }
}
