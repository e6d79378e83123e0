import { compareIds } from './id-order.ts'
import type { SpanHead } from './span.ts'
import { isEarlier } from './span-tree.ts'

/*
 * Model calls that several instrumentations report: an SDK's own spans beside those of OpenInference, for example. One
 * reporter's spans of a call count, and those of the others repeat them. Spans of one reporter never repeat each other.
 */

export type ReportedCall = Pick<
  SpanHead,
  | 'kind'
  | 'spanId'
  | 'parentSpanId'
  | 'startedAt'
  | 'endedAt'
  | 'model'
  | 'tokensIn'
  | 'tokensOut'
  | 'tokensCacheRead'
  | 'tokensCacheWrite'
  | 'costUsd'
  | 'sdk'
  | 'responseId'
>

/** The repeated calls by their ids, with the ids of the spans that count instead. */
export type RepeatedCalls = ReadonlyMap<string, string>

const kinds: ReadonlySet<string> = new Set(['llm', 'embedding', 'reranker'])

type UsageFacts = Pick<SpanHead, 'kind' | 'startedAt' | 'endedAt' | 'tokensIn'>

/** Whether several instrumentations may report the call of this span. */
export function isReportedCall(span: UsageFacts): boolean {
  return kinds.has(span.kind) || isUsageLog(span)
}

/** A log entry, sent as a span without a duration, of the usage of a streamed call that has ended: as by Logfire. */
function isUsageLog({ kind, startedAt, endedAt, tokensIn }: UsageFacts): boolean {
  return kind === 'chain' && tokensIn !== null && startedAt === endedAt
}

/**
 * Finds the repeated calls of a trace, in any order. `calls` are those that count otherwise: model calls that are not
 * above another call or span with usage. Spans of different reporters report the same call if they have
 *
 * - the same response id, anywhere in the trace,
 * - the same parent, model and tokens, at the same time, unless both have a response id, or
 * - the same tokens, where one is a log entry of the usage, just after the other has ended.
 *
 * Of each group, the reporter with most spans counts, then the provider's own SDK, then the one with the most complete
 * counts. Yields regularly.
 */
export function* findRepeatedCalls(
  calls: readonly ReportedCall[],
): Generator<undefined, RepeatedCalls, void> {
  const repeated = new Map<string, string>()
  // Usually, as when the spans of a framework enclose those of a client.
  if (calls.every(({ sdk }) => sdk === calls[0]!.sdk)) return repeated
  const identified = yield* groupBy(calls, (call) => (isUsageLog(call) ? null : call.responseId))
  let visited = 0
  for (const group of identified.values()) {
    if (++visited % callsPerStep === 0) yield
    markRepeated(
      Map.groupBy(group, ({ sdk }) => sdk ?? ''),
      repeated,
    )
  }
  const remaining = calls.filter(({ spanId }) => !repeated.has(spanId))
  const siblings = yield* groupBy(remaining, (call) => {
    const { parentSpanId, model, tokensIn, tokensOut } = call
    return isUsageLog(call) ? null : JSON.stringify([parentSpanId, model, tokensIn, tokensOut])
  })
  for (const group of siblings.values()) {
    if (++visited % callsPerStep === 0) yield
    for (const cluster of overlapping(group)) markRepeated(byReporter(cluster), repeated)
  }
  // The span that counts among those with its response id may repeat a sibling without one.
  for (const [spanId, counted] of repeated) repeated.set(spanId, repeated.get(counted) ?? counted)
  const unmatched = remaining.filter(({ spanId }) => !repeated.has(spanId))
  if (!unmatched.some(isUsageLog)) return repeated
  const equal = yield* groupBy(unmatched, ({ tokensIn, tokensOut }) => `${tokensIn} ${tokensOut}`)
  for (const group of equal.values()) {
    if (++visited % callsPerStep === 0) yield
    markUsageLogs(group, repeated)
  }
  return repeated
}

/** From the end of a call to the log entry of its usage. The clocks are those of one process. */
const maxLogDelayNanos = 10_000_000_000n

/** Adds each log entry to `repeated` that follows a call of another reporter: the latest without a log entry. */
function markUsageLogs(calls: readonly ReportedCall[], repeated: Map<string, string>): void {
  const open: ReportedCall[] = []
  for (const call of calls.toSorted(compareEnds)) {
    if (!isUsageLog(call)) {
      open.push(call)
      continue
    }
    const last = open.at(-1)
    if (last === undefined || last.sdk === call.sdk) continue
    if (call.endedAt - last.endedAt > maxLogDelayNanos) continue
    repeated.set(call.spanId, last.spanId)
    open.pop()
  }
}

const callsPerStep = 200

/** Groups of at least two. */
function* groupBy(
  calls: readonly ReportedCall[],
  toKey: (call: ReportedCall) => string | null,
): Generator<undefined, Map<string, readonly ReportedCall[]>, void> {
  const groups = new Map<string, ReportedCall[]>()
  for (const [index, call] of calls.entries()) {
    if (index % callsPerStep === 0) yield
    const key = toKey(call)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [call])
    else group.push(call)
  }
  for (const [key, { length }] of groups) if (length === 1) groups.delete(key)
  return groups
}

/** Those whose times overlap, directly or through others, together. */
function overlapping(calls: readonly ReportedCall[]): ReportedCall[][] {
  const clusters: ReportedCall[][] = []
  let end = 0n
  for (const call of calls.toSorted(compareStarts)) {
    const last = clusters.at(-1)
    if (last === undefined || call.startedAt > end) clusters.push([call])
    else last.push(call)
    if (last === undefined || call.endedAt > end) end = call.endedAt
  }
  return clusters
}

/** Reporters of response ids together: their ids differ, so they reported different calls. */
function byReporter(calls: readonly ReportedCall[]): Map<string, ReportedCall[]> {
  const withoutIds = new Set(
    calls.filter(({ responseId }) => responseId === null).map(({ sdk }) => sdk),
  )
  return Map.groupBy(calls, ({ sdk }) => (withoutIds.has(sdk) ? `sdk ${sdk ?? ''}` : ''))
}

/** Adds the spans of all reporters but one to `repeated`. */
function markRepeated(
  reporters: ReadonlyMap<string, readonly ReportedCall[]>,
  repeated: Map<string, string>,
): void {
  if (reporters.size < 2) return
  const [first, ...others] = Array.from(
    reporters,
    ([name, spans]) => [name, spans.toSorted(compareStarts)] as const,
  ).sort(compareReporters)
  const [, counted] = first!
  for (const [, spans] of others) {
    for (const [index, { spanId }] of spans.entries()) {
      repeated.set(spanId, counted[index]!.spanId)
    }
  }
}

type Reporter = readonly [name: string, spans: readonly ReportedCall[]]

/** Of SDKs that report their own calls, with the counts of the provider's response. */
const ownScope = /^com\.anthropic\.sdk\./

/** Counts of the cache are part of the input, but whoever omits them gets the price wrong. */
const preferences: readonly ((call: ReportedCall) => number)[] = [
  () => 1,
  ({ sdk }) => (ownScope.test(sdk ?? '') ? 1 : 0),
  ({ tokensIn, tokensOut }) => (tokensIn ?? 0) + (tokensOut ?? 0),
  ({ tokensCacheRead, tokensCacheWrite }) => (tokensCacheRead ?? 0) + (tokensCacheWrite ?? 0),
  ({ costUsd }) => (costUsd === null ? 0 : 1),
]

function compareReporters([a, ofA]: Reporter, [b, ofB]: Reporter): number {
  for (const toNumber of preferences) {
    const sum = (spans: readonly ReportedCall[]) =>
      spans.reduce((total, span) => total + toNumber(span), 0)
    const difference = sum(ofB) - sum(ofA)
    if (difference !== 0) return difference
  }
  return compareIds(a, b)
}

function compareEnds(a: ReportedCall, b: ReportedCall): number {
  if (a.endedAt !== b.endedAt) return a.endedAt < b.endedAt ? -1 : 1
  return isUsageLog(a) === isUsageLog(b) ? compareIds(a.spanId, b.spanId) : isUsageLog(a) ? 1 : -1
}

function compareStarts(a: ReportedCall, b: ReportedCall): number {
  return isEarlier(a, b) ? -1 : 1
}
