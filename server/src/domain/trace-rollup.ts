import { type Instant, millisBetween } from './instant.ts'
import { bucketOf } from './latency-sketch.ts'
import { modelRollupKey, rollupKey, toRollupDimensions } from './rollup-dimensions.ts'
import { hasCost, hasTokens, spansAbove, treeOf } from './span-tree.ts'
import type { CountedSpan, TraceTotals } from './trace-totals.ts'

/*
 * What a trace adds to the figures of its project: to those of the hour it started in, as a whole and by name,
 * environment and model, to those of its cell (figure-cells.ts), and to those of its session and its user. Figures are sums, so that what a trace
 * added can be taken away again when it changes.
 */

/** `call`: the calls of a model in a cell. */
export type Dimension = 'all' | 'name' | 'environment' | 'model' | 'cell' | 'call'

export interface Aggregates {
  /** Traces; by model, calls of the model. */
  count: number
  errors: number
  /** Spans with a model and tokens, and those of them whose cost is unknown. */
  calls: number
  unpriced: number
  tokensIn: number
  tokensOut: number
  /** In billionths of a dollar, whole: sums of them do not depend on their order. */
  costNanos: number
  /** Counts by bucket of latency-sketch.ts. */
  readonly latencies: Map<number, number>
}

export interface RollupDelta {
  /** Since 1970. */
  readonly hour: number
  readonly parts: readonly RollupEntry[]
  readonly whole: Aggregates
  readonly spanCount: number
  readonly sessionId: string | null
  readonly userId: string | null
}

export interface RollupEntry {
  readonly dimension: Dimension
  readonly value: string
  readonly aggregates: Aggregates
}

const nanosPerHour = 3_600_000_000_000n

export function hourOf(instant: Instant): number {
  return Number(instant / nanosPerHour)
}

export function startOfHour(hour: number): Instant {
  return BigInt(hour) * nanosPerHour
}

export function emptyAggregates(): Aggregates {
  const zero = { count: 0, errors: 0, calls: 0, unpriced: 0, tokensIn: 0, tokensOut: 0 }
  return { ...zero, costNanos: 0, latencies: new Map() }
}

/** Adds `times` times the figures. */
export function addAggregates(to: Aggregates, added: Aggregates, times: 1 | -1 = 1): void {
  for (const key of summedKeys) to[key] += times * added[key]
  for (const [bucket, count] of added.latencies) {
    const sum = (to.latencies.get(bucket) ?? 0) + times * count
    if (sum === 0) to.latencies.delete(bucket)
    else to.latencies.set(bucket, sum)
  }
}

/** What is added up number by number. */
export const summedKeys = [
  'count',
  'errors',
  'calls',
  'unpriced',
  'tokensIn',
  'tokensOut',
  'costNanos',
] as const

export function toRollupDelta(spans: readonly CountedSpan[], totals: TraceTotals): RollupDelta {
  const models = aggregatesByModel(spans)
  const whole: Aggregates = {
    count: 1,
    errors: totals.status === 'ERROR' ? 1 : 0,
    calls: 0,
    unpriced: 0,
    tokensIn: totals.tokensIn,
    tokensOut: totals.tokensOut,
    costNanos: nanosOf(totals.costUsd),
    latencies: new Map([[bucketOf(totals.durationMs), 1]]),
  }
  for (const { calls, unpriced } of models.values()) {
    whole.calls += calls
    whole.unpriced += unpriced
  }
  const key = rollupKey(toRollupDimensions(totals))
  const parts: RollupEntry[] = [
    { dimension: 'all', value: '', aggregates: whole },
    { dimension: 'name', value: totals.rootName, aggregates: whole },
    { dimension: 'environment', value: totals.environment ?? '', aggregates: whole },
    { dimension: 'cell', value: key, aggregates: whole },
  ]
  for (const [value, aggregates] of models) {
    parts.push({ dimension: 'model', value, aggregates })
    parts.push({ dimension: 'call', value: modelRollupKey(key, value), aggregates })
  }
  const { sessionId, userId, spanCount } = totals
  return { hour: hourOf(totals.startedAt), parts, whole, spanCount, sessionId, userId }
}

function aggregatesByModel(spans: readonly CountedSpan[]): Map<string, Aggregates> {
  const models = new Map<string, Aggregates>()
  const tree = treeOf(spans)
  const isAboveTokens = spansAbove(spans, tree, hasTokens)
  const isAboveCost = spansAbove(spans, tree, hasCost)
  for (const [index, span] of spans.entries()) {
    const { model } = span
    if (model === null || model === '') continue
    const call = isAboveTokens[index] === 1 ? undefined : callAggregates(span)
    const costNanos = isAboveCost[index] === 1 ? 0 : nanosOf(span.costUsd)
    if (call === undefined && costNanos === 0) continue
    const aggregates = models.get(model) ?? emptyAggregates()
    models.set(model, aggregates)
    if (call !== undefined) addAggregates(aggregates, call)
    aggregates.costNanos += costNanos
  }
  return models
}

/** What a call adds to its model, without its cost. */
function callAggregates(span: CountedSpan): Aggregates {
  const isCounted = hasTokens(span)
  return {
    count: 1,
    errors: span.status === 'ERROR' ? 1 : 0,
    calls: isCounted ? 1 : 0,
    unpriced: isCounted && span.costUsd === null ? 1 : 0,
    tokensIn: span.tokensIn ?? 0,
    tokensOut: span.tokensOut ?? 0,
    costNanos: 0,
    latencies: new Map([[bucketOf(millisBetween(span.startedAt, span.endedAt)), 1]]),
  }
}

/** Beyond it sums are no longer exact, and a single trace is not to make them so. */
const nanosMax = 1e15

function nanosOf(usd: number | null): number {
  return Math.min(Math.round((usd ?? 0) * 1e9), nanosMax)
}
