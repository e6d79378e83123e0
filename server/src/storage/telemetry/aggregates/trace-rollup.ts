import { type Instant, millisBetween } from '../../../domain/instant.ts'
import { toLatencyBucket } from '../../../domain/latency-sketch.ts'
import type { Mode } from '../../../domain/span.ts'
import { buildSpanTree, hasCost, hasTokens, spansAbove } from '../../../domain/span-tree.ts'
import type { CountedSpan, TraceTotals } from '../../../domain/trace-totals.ts'
import { modelRollupKey, rollupKey, toRollupDimensions } from './rollup-dimensions.ts'

/*
 * What a trace adds to the rollups of its project: to those of the hour in which it started, in total and
 * by name, environment, model and dimensions (rollup-dimensions.ts), and to those of its session and its
 * user. The rollups of an hour are kept apart by mode, those of sessions and users are not. Of the models, only
 * those that the trace lists count one by one: a trace that moves to other rollups moves with all of them. Rollups
 * are sums, so the delta of a trace can be subtracted when it changes.
 */

/** `cell`: all dimensions together. `call`: calls of a model in a cell. */
export type Dimension = 'all' | 'name' | 'environment' | 'model' | 'cell' | 'call'

export interface Aggregates {
  /** Traces; by model, calls of the model. */
  count: number
  errors: number
  /** Spans with a model and tokens, and how many of them have an unknown cost. */
  calls: number
  unpriced: number
  tokensIn: number
  tokensOut: number
  /** In whole billionths of a dollar, so that sums do not depend on the order. */
  costNanos: number
  /** Counts by bucket of latency-sketch.ts. */
  readonly latencies: Map<number, number>
}

/** Where a trace is counted, and its total. */
export interface RollupHead {
  /** Since 1970. */
  readonly hour: number
  readonly mode: Mode
  readonly name: string
  readonly environment: string
  /** The key of its dimensions. */
  readonly key: string
  readonly whole: Aggregates
  readonly spanCount: number
  readonly sessionId: string | null
  readonly userId: string | null
}

export interface RollupDelta extends RollupHead {
  readonly parts: readonly RollupEntry[]
}

export interface RollupEntry {
  readonly dimension: Dimension
  readonly value: string
  readonly aggregates: Aggregates
}

/** The members of a span that the rollups depend on. */
export type RollupSpan = Pick<
  CountedSpan,
  | 'spanId'
  | 'parentSpanId'
  | 'status'
  | 'startedAt'
  | 'endedAt'
  | 'model'
  | 'tokensIn'
  | 'tokensOut'
  | 'costUsd'
>

const nanosPerHour = 3_600_000_000_000n

export function toHour(instant: Instant): number {
  return Number(instant / nanosPerHour)
}

export function startOfHour(hour: number): Instant {
  return BigInt(hour) * nanosPerHour
}

export function emptyAggregates(): Aggregates {
  const zero = { count: 0, errors: 0, calls: 0, unpriced: 0, tokensIn: 0, tokensOut: 0 }
  return { ...zero, costNanos: 0, latencies: new Map() }
}

/** Adds the aggregates, or subtracts them with -1. */
export function addAggregates(to: Aggregates, added: Aggregates, times: 1 | -1 = 1): void {
  for (const key of summedKeys) to[key] += times * added[key]
  for (const [bucket, count] of added.latencies) {
    const sum = (to.latencies.get(bucket) ?? 0) + times * count
    if (sum === 0) to.latencies.delete(bucket)
    else to.latencies.set(bucket, sum)
  }
}

/** The plain sums. */
export const summedKeys = [
  'count',
  'errors',
  'calls',
  'unpriced',
  'tokensIn',
  'tokensOut',
  'costNanos',
] as const

/** What comparing the calls of a trace found out about its spans. */
export interface CallMarks<Span> {
  /** A span of another instrumentation counts in its place. */
  readonly isRepeated: (span: Span) => boolean
  /** It counts beside the calls within it. */
  readonly isSeparate: (span: Span) => boolean
}

export function toRollupDelta<Span extends RollupSpan>(
  spans: readonly Span[],
  totals: TraceTotals,
  marks: CallMarks<Span>,
): RollupDelta {
  const listed = new Set(totals.models)
  const models = [...aggregatesByModel(spans, marks)].filter(([model]) => listed.has(model))
  return withModels(toRollupHead(totals), models)
}

export function toRollupHead(totals: TraceTotals): RollupHead {
  const { startedAt, mode, rootName, environment, spanCount, sessionId, userId } = totals
  const whole = {
    count: 1,
    errors: totals.status === 'ERROR' ? 1 : 0,
    calls: totals.modelCallCount,
    unpriced: totals.unpricedCallCount,
    tokensIn: totals.tokensIn,
    tokensOut: totals.tokensOut,
    costNanos: toNanos(totals.costUsd),
    latencies: new Map([[toLatencyBucket(totals.durationMs), 1]]),
  }
  const key = rollupKey(toRollupDimensions(totals))
  const place = { name: rootName, environment: environment ?? '', key }
  return { hour: toHour(startedAt), mode, ...place, whole, spanCount, sessionId, userId }
}

/** The total of a trace, and the parts of its models. */
export function withModels(
  head: RollupHead,
  models: Iterable<readonly [model: string, aggregates: Aggregates]>,
): RollupDelta {
  const { name, environment, key, whole } = head
  const parts: RollupEntry[] = [
    { dimension: 'all', value: '', aggregates: whole },
    { dimension: 'name', value: name, aggregates: whole },
    { dimension: 'environment', value: environment, aggregates: whole },
    { dimension: 'cell', value: key, aggregates: whole },
  ]
  for (const [value, aggregates] of models) {
    parts.push({ dimension: 'model', value, aggregates })
    parts.push({ dimension: 'call', value: modelRollupKey(key, value), aggregates })
  }
  return { ...head, parts }
}

/** Whether both count their models in the same rows. */
export function hasSameRows(a: RollupHead, b: RollupHead): boolean {
  return (
    a.hour === b.hour &&
    a.mode === b.mode &&
    a.name === b.name &&
    a.environment === b.environment &&
    a.key === b.key
  )
}

function aggregatesByModel<Span extends RollupSpan>(
  spans: readonly Span[],
  { isRepeated, isSeparate }: CallMarks<Span>,
): Map<string, Aggregates> {
  const models = new Map<string, Aggregates>()
  const tree = buildSpanTree(spans)
  const isAboveTokens = spansAbove(spans, tree, hasTokens)
  const isAboveCost = spansAbove(spans, tree, hasCost)
  const add = (model: string, added: Aggregates) => {
    if (isEmpty(added)) return
    const aggregates = models.get(model) ?? emptyAggregates()
    models.set(model, aggregates)
    addAggregates(aggregates, added)
  }
  for (const [index, span] of spans.entries()) {
    const { model } = span
    if (model === null || model === '' || isRepeated(span)) continue
    const isOwn = isSeparate(span)
    if (isAboveTokens[index] === 0 || isOwn) add(model, callAggregates(span))
    if ((isAboveCost[index] === 0 || isOwn) && hasCost(span)) add(model, costAggregates(span))
  }
  return models
}

/** What a call adds to its model, without its cost. */
export function callAggregates(span: RollupSpan): Aggregates {
  const isCounted = hasTokens(span)
  return {
    count: 1,
    errors: span.status === 'ERROR' ? 1 : 0,
    calls: isCounted ? 1 : 0,
    unpriced: isCounted && span.costUsd === null ? 1 : 0,
    tokensIn: span.tokensIn ?? 0,
    tokensOut: span.tokensOut ?? 0,
    costNanos: 0,
    latencies: new Map([[toLatencyBucket(millisBetween(span.startedAt, span.endedAt)), 1]]),
  }
}

/** What a span with a cost adds to its model. */
export function costAggregates({ costUsd }: RollupSpan): Aggregates {
  return { ...emptyAggregates(), costNanos: toNanos(costUsd) }
}

export function isEmpty(aggregates: Aggregates): boolean {
  return aggregates.latencies.size === 0 && summedKeys.every((key) => aggregates[key] === 0)
}

/** Larger sums are not exact; a single trace must not cause that. */
const nanosMax = 1e15

function toNanos(usd: number | null): number {
  return Math.min(Math.round((usd ?? 0) * 1e9), nanosMax)
}
