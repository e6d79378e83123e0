import { limits } from '@assay/contract/limits.ts'
import { compareIds } from './id-order.ts'
import { millisBetween } from './instant.ts'
import { findRepeatedCalls, isReportedCall, type RepeatedCalls } from './repeated-calls.ts'
import { findSeparateCalls } from './separate-calls.ts'
import { findUnfinished } from './settling.ts'
import type { Source, SpanHead, Trace, TraceLabels } from './span.ts'
import {
  buildSpanTree,
  hasCost,
  hasTokens,
  isEarlier,
  type SpanTree,
  spansAbove,
} from './span-tree.ts'
import { isSameToolCall, isToolCall, toolName } from './tool-calls.ts'
import { applyTagChanges } from './trace-labels.ts'

/*
 * Computes a trace from all of its spans, in any order. An engine may compute the same as spans arrive.
 */

/** The members of a span that its trace depends on. */
export interface CountedSpan
  extends Pick<
    SpanHead,
    | 'spanId'
    | 'parentSpanId'
    | 'name'
    | 'kind'
    | 'status'
    | 'startedAt'
    | 'endedAt'
    | 'model'
    | 'tokensIn'
    | 'tokensOut'
    | 'tokensCacheRead'
    | 'tokensCacheWrite'
    | 'costUsd'
    | 'sessionId'
    | 'userId'
    | 'environment'
    | 'service'
    | 'sdk'
    | 'responseId'
    | 'tags'
    | 'traceName'
  > {
  /** The source of the batch that recorded the span. */
  readonly source: Source
}

/** The part of a trace that depends on its spans and labels. */
export type TraceTotals = Omit<Trace, 'traceId' | 'projectId' | 'updatedAt'>

/** Without a label, the value of the span nearest to the root that has one; of several, the earliest. */
export const reportableFields = [
  'environment',
  'sessionId',
  'userId',
  'service',
  'sdk',
  'tags',
  'traceName',
] as const
type ReportableField = (typeof reportableFields)[number]

/** Sums over the spans of a trace. */
export interface SpanSummary
  extends Pick<
    Trace,
    | 'rootName'
    | 'unfinished'
    | 'source'
    | 'startedAt'
    | 'endedAt'
    | 'spanCount'
    | 'errorCount'
    | 'llmCallCount'
    | 'toolCallCount'
    | 'tokensIn'
    | 'tokensOut'
    | 'costUsd'
    | 'modelCallCount'
    | 'unpricedCallCount'
    | 'models'
  > {
  readonly reported: Readonly<Record<ReportableField, string | null>>
}

/** The trace of these spans (at least one, unique ids) and its labels. */
export function computeTotals(
  spans: readonly CountedSpan[],
  labels: TraceLabels | null,
): TraceTotals {
  const tree = buildSpanTree(spans)
  const usage = findCountedUsage(spans, tree)
  const reported = firstReported(spans, tree)
  const root = rootOf(spans, tree)
  const times = timesOf(spans)
  const summary = {
    rootName: reported.traceName ?? root.name,
    unfinished: findUnfinished(root, times.endedAt),
    reported,
    source: spans.some((span) => span.source === 'otlp') ? ('otlp' as const) : ('json' as const),
    ...times,
    spanCount: spans.length,
    errorCount: spans.filter((span) => span.status === 'ERROR').length,
    ...callsOf(spans, tree, usage),
    ...tokensOf(spans, usage),
    costUsd: costOf(spans, usage),
    ...modelCallsOf(spans, usage),
    models: modelsOf(spans),
  }
  return totalsFrom(summary, labels)
}

export function totalsFrom(summary: SpanSummary, labels: TraceLabels | null): TraceTotals {
  const { reported, ...rest } = summary
  return {
    ...rest,
    rootName: labels?.rootName ?? rest.rootName,
    status: rest.errorCount > 0 ? 'ERROR' : 'OK',
    mode: labels?.mode ?? 'live',
    environment: labels?.environment ?? reported.environment,
    tags: applyTagChanges(tagsOf(labels, reported.tags), labels?.tagChanges),
    sessionId: labels?.sessionId ?? reported.sessionId,
    userId: labels?.userId ?? reported.userId,
    service: reported.service,
    sdk: reported.sdk,
    durationMs: millisBetween(rest.startedAt, rest.endedAt),
  }
}

/**
 * The earliest span without a stored parent; when cycles leave none, the earliest one where a cycle was
 * cut.
 */
function rootOf(spans: readonly CountedSpan[], { parents, cycleRoots }: SpanTree): CountedSpan {
  let root = -1
  for (const [index, span] of spans.entries()) {
    if (parents[index] !== -1) continue
    const isBetter =
      root === -1 ||
      (cycleRoots.has(index) === cycleRoots.has(root)
        ? isEarlier(span, spans[root]!)
        : cycleRoots.has(root))
    if (isBetter) root = index
  }
  const found = spans[root]
  if (found === undefined) throw new Error('A trace has at least one span.')
  return found
}

function firstReported(
  spans: readonly CountedSpan[],
  { parents, bottomUp }: SpanTree,
): Record<ReportableField, string | null> {
  const depths = new Int32Array(spans.length)
  const reported: Record<ReportableField, string | null> = {
    environment: null,
    sessionId: null,
    userId: null,
    service: null,
    sdk: null,
    tags: null,
    traceName: null,
  }
  const reporters: Partial<Record<ReportableField, number>> = {}
  for (let i = bottomUp.length - 1; i >= 0; i -= 1) {
    const index = bottomUp[i]!
    const parent = parents[index]!
    depths[index] = parent === -1 ? 0 : depths[parent]! + 1
    const span = spans[index]!
    for (const field of reportableFields) {
      if (span[field] === null) continue
      const current = reporters[field]
      if (current !== undefined) {
        const lower = depths[index] - depths[current]!
        if (lower > 0 || (lower === 0 && !isEarlier(span, spans[current]!))) continue
      }
      reporters[field] = index
      reported[field] = span[field]
    }
  }
  return reported
}

/** Labels without tags do not override those of the spans. */
function tagsOf(labels: TraceLabels | null, reported: string | null): readonly string[] {
  if (labels !== null && labels.tags.length > 0) return labels.tags
  return reported === null ? [] : (JSON.parse(reported) as readonly string[])
}

function timesOf(spans: readonly CountedSpan[]): Pick<Trace, 'startedAt' | 'endedAt'> {
  let { startedAt, endedAt } = spans[0]!
  for (const span of spans) {
    if (span.startedAt < startedAt) startedAt = span.startedAt
    if (span.endedAt > endedAt) endedAt = span.endedAt
  }
  return { startedAt, endedAt }
}

/** Which spans count for what. Arrays have 1 for a span that leaves it to those within. */
export interface CountedUsage {
  readonly isAboveTokens: Uint8Array
  readonly isAboveCost: Uint8Array
  readonly isAroundCall: Uint8Array
  /** Calls that count beside those within them, by their ids. */
  readonly separate: ReadonlySet<string>
  /** Calls that several instrumentations report, by their ids: those that count in another span. */
  readonly repeats: RepeatedCalls
}

export function findCountedUsage(spans: readonly CountedSpan[], tree: SpanTree): CountedUsage {
  const isAroundCall = callsAround(spans, tree)
  const isAboveTokens = spansAbove(spans, tree, hasTokens)
  const isAboveCost = spansAbove(spans, tree, hasCost)
  const reported = [...spans.keys()].filter((index) => isReportedCall(spans[index]!))
  const toParent = (index: number) => (tree.parents[index] === -1 ? null : tree.parents[index]!)
  const separate = lastOf(findSeparateCalls(reported, (index) => spans[index]!, toParent))
  for (const index of separate) {
    for (const array of [isAroundCall, isAboveTokens, isAboveCost]) array[index] = 0
  }
  const calls = reported.filter((index) =>
    [isAroundCall, isAboveTokens, isAboveCost].every((array) => array[index] === 0),
  )
  return {
    ...{ isAroundCall, isAboveTokens, isAboveCost },
    separate: new Set([...separate].map((index) => spans[index]!.spanId)),
    repeats: lastOf(findRepeatedCalls(calls.map((index) => spans[index]!))),
  }
}

function lastOf<Result>(steps: Generator<undefined, Result, void>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** For each span, 1 when it is a model call and the direct parent of another: of a framework, around the client's. */
function callsAround(spans: readonly CountedSpan[], { parents }: SpanTree): Uint8Array {
  const isAround = new Uint8Array(spans.length)
  for (const [index, { kind }] of spans.entries()) {
    const parent = parents[index]!
    if (parent >= 0 && kind === 'llm' && spans[parent]!.kind === 'llm') isAround[parent] = 1
  }
  return isAround
}

/**
 * Model calls are `llm` spans, except repeated ones and those that are the direct parent of another and no separate
 * call. Tool calls are
 * - `tool` spans, except those directly within another of the same call,
 * - tool calls over MCP that no span of the same call encloses (a `tool` span, or the client's span around the server's),
 * - functions that have a parent and no children.
 */
function callsOf(
  spans: readonly CountedSpan[],
  { parents, bottomUp }: SpanTree,
  { isAroundCall, repeats }: CountedUsage,
): Pick<Trace, 'llmCallCount' | 'toolCallCount'> {
  let llmCallCount = 0
  let toolCallCount = 0
  // The nearest enclosing tool call, or -1.
  const callers = new Int32Array(spans.length).fill(-1)
  const hasChildren = new Uint8Array(spans.length)
  for (const parent of parents) if (parent >= 0) hasChildren[parent] = 1

  for (let i = bottomUp.length - 1; i >= 0; i -= 1) {
    const index = bottomUp[i]!
    const parent = parents[index]!
    const { kind, name, spanId } = spans[index]!
    if (parent >= 0) callers[index] = isToolCall(spans[parent]!) ? parent : callers[parent]!
    if (kind === 'llm') llmCallCount += isAroundCall[index] === 1 || repeats.has(spanId) ? 0 : 1
    else if (kind === 'tool') {
      toolCallCount += parent >= 0 && isSameToolCall(spans[parent]!, spans[index]!) ? 0 : 1
    } else if (kind === 'function' && parent >= 0 && hasChildren[index] === 0) toolCallCount += 1
    else if (isToolCall(spans[index]!)) {
      const wrapper = spans[callers[index]!]
      if (wrapper === undefined || toolName(wrapper.name) !== toolName(name)) toolCallCount += 1
    }
  }
  return { llmCallCount, toolCallCount }
}

function tokensOf(
  spans: readonly CountedSpan[],
  { isAboveTokens, repeats }: CountedUsage,
): Pick<Trace, 'tokensIn' | 'tokensOut'> {
  let tokensIn = 0
  let tokensOut = 0
  for (const [index, span] of spans.entries()) {
    if (isAboveTokens[index] === 1 || repeats.has(span.spanId)) continue
    tokensIn = addTokens(tokensIn, span.tokensIn)
    tokensOut = addTokens(tokensOut, span.tokensOut)
  }
  return { tokensIn, tokensOut }
}

/** Capped at the largest exact integer, so that sums do not depend on the order. */
export function addTokens(sum: number, added: number | null): number {
  return Math.min(sum + (added ?? 0), Number.MAX_SAFE_INTEGER)
}

function costOf(
  spans: readonly CountedSpan[],
  { isAboveCost, repeats }: CountedUsage,
): number | null {
  if (spans.every(({ costUsd }) => costUsd === null)) return null
  return sumOfDollars(
    spans.map(({ costUsd, spanId }, index) =>
      isAboveCost[index] === 1 || repeats.has(spanId) ? 0 : (costUsd ?? 0),
    ),
  )
}

function modelCallsOf(
  spans: readonly CountedSpan[],
  { isAboveTokens, repeats }: CountedUsage,
): Pick<Trace, 'modelCallCount' | 'unpricedCallCount'> {
  const calls = spans.filter(
    (span, index) =>
      isAboveTokens[index] === 0 &&
      !repeats.has(span.spanId) &&
      hasTokens(span) &&
      span.model !== null &&
      span.model !== '',
  )
  const unpriced = calls.filter(({ costUsd }) => costUsd === null)
  return { modelCallCount: calls.length, unpricedCallCount: unpriced.length }
}

export const picoPerDollar = 1e12

/**
 * Independent of the order: summed in integers of 10^-12 dollars, which is exact up to 9007 dollars and
 * makes 0.1 and 0.2 give 0.3; beyond that in ascending order.
 */
export function sumOfDollars(amounts: readonly number[]): number {
  const picos = amounts.reduce((sum, amount) => sum + Math.round(amount * picoPerDollar), 0)
  if (picos <= Number.MAX_SAFE_INTEGER) return picos / picoPerDollar
  const sum = Float64Array.from(amounts)
    .sort()
    .reduce((total, amount) => total + amount, 0)
  return Math.min(sum, Number.MAX_VALUE)
}

function modelsOf(spans: readonly CountedSpan[]): string[] {
  const models = new Set<string>()
  for (const { model } of spans) if (model !== null && model !== '') models.add(model)
  return [...models].sort(compareIds).slice(0, limits.modelsPerTrace.value)
}
