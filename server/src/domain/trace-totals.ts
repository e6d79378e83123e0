import { compareIds } from './id-order.ts'
import { millisBetween } from './instant.ts'
import type { Source, SpanHead, Trace, TraceLabels } from './span.ts'

/*
 * A trace from its spans. Parents may be missing or run in circles, children may come before them, and the
 * spans may be given in any order: the result is the same. Time and memory are linear in the number of
 * spans, and nothing recurses, because a chain of calls may be as long as the trace.
 */

/** What a trace takes from one of its spans. */
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
    | 'costUsd'
    | 'sessionId'
    | 'userId'
    | 'environment'
    | 'service'
    | 'sdk'
    | 'tags'
  > {
  /** How the batch that brought the span came in. */
  readonly source: Source
}

/** The part of a trace that its spans and labels decide. */
export type TraceTotals = Omit<Trace, 'traceId' | 'projectId' | 'updatedAt'>

/**
 * The trace that these spans, at least one, no id twice, make together with the labels of the newest batch
 * that carried any. Where the labels say nothing, the span nearest to the root that says something decides,
 * the earliest of several.
 */
export function totalsOf(spans: readonly CountedSpan[], labels: TraceLabels | null): TraceTotals {
  const tree = treeOf(spans)
  const reported = firstReported(spans, tree)
  const times = timesOf(spans)
  const errorCount = spans.reduce((count, span) => count + (span.status === 'ERROR' ? 1 : 0), 0)
  return {
    rootName: labels?.rootName ?? rootOf(spans, tree).name,
    status: errorCount > 0 ? 'ERROR' : 'OK',
    mode: labels?.mode ?? 'live',
    environment: labels?.environment ?? reported.environment,
    tags: tagsOf(labels, reported.tags),
    source: spans.some((span) => span.source === 'otlp') ? 'otlp' : 'json',
    sessionId: labels?.sessionId ?? reported.sessionId,
    userId: labels?.userId ?? reported.userId,
    service: reported.service,
    sdk: reported.sdk,
    ...times,
    durationMs: millisBetween(times.startedAt, times.endedAt),
    spanCount: spans.length,
    errorCount,
    ...callsOf(spans, tree),
    ...tokensOf(spans, tree),
    costUsd: costOf(spans, tree),
    models: modelsOf(spans),
  }
}

/** The spans as a forest; a span is named by its place in the list that was given. */
interface Tree {
  /** The place of the parent, or -1: at a root, where the parent is not stored, and where a circle was cut. */
  readonly parents: Int32Array
  /** Every place once, children before their parents. */
  readonly bottomUp: Int32Array
  /** Places whose link to a stored parent was cut because it closed a circle. */
  readonly cycleRoots: ReadonlySet<number>
}

function treeOf(spans: readonly CountedSpan[]): Tree {
  const parents = storedParents(spans)
  const pendingChildren = new Int32Array(spans.length)
  for (const parent of parents) if (parent >= 0) pendingChildren[parent]! += 1

  const bottomUp = new Int32Array(spans.length)
  let visitedCount = 0
  // Places a span, then its parent if it was the last child to wait for, and so on up.
  const visitFrom = (start: number) => {
    for (let index = start; index >= 0 && pendingChildren[index] === 0; ) {
      bottomUp[visitedCount++] = index
      pendingChildren[index] = -1
      const parent = parents[index]!
      if (parent >= 0) pendingChildren[parent]! -= 1
      index = parent
    }
  }
  for (let index = 0; index < spans.length; index += 1) visitFrom(index)

  const cycleRoots = new Set<number>()
  // Whatever still waits lies on a circle: every other span has been reached from its lowest children.
  for (let index = 0; visitedCount < spans.length; index += 1) {
    if (pendingChildren[index]! <= 0) continue
    const first = earliestInCycle(spans, parents, index)
    const above = parents[first]!
    parents[first] = -1
    cycleRoots.add(first)
    pendingChildren[above]! -= 1
    visitFrom(above)
  }
  return { parents, bottomUp, cycleRoots }
}

function storedParents(spans: readonly CountedSpan[]): Int32Array {
  const indexes = new Map<string, number>()
  for (let index = 0; index < spans.length; index += 1) indexes.set(spans[index]!.spanId, index)
  const parents = new Int32Array(spans.length).fill(-1)
  for (let index = 0; index < spans.length; index += 1) {
    const { parentSpanId } = spans[index]!
    const parent = parentSpanId === null ? undefined : indexes.get(parentSpanId)
    if (parent !== undefined && parent !== index) parents[index] = parent
  }
  return parents
}

function earliestInCycle(
  spans: readonly CountedSpan[],
  parents: Int32Array,
  start: number,
): number {
  let earliest = start
  for (let index = parents[start]!; index !== start; index = parents[index]!) {
    if (isEarlier(spans[index]!, spans[earliest]!)) earliest = index
  }
  return earliest
}

function isEarlier(a: CountedSpan, b: CountedSpan): boolean {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt
  return compareIds(a.spanId, b.spanId) < 0
}

/** The earliest span without a stored parent; where circles leave none, the earliest at which one was cut. */
function rootOf(spans: readonly CountedSpan[], { parents, cycleRoots }: Tree): CountedSpan {
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
  if (found === undefined) throw new Error('A trace is made of at least one span.')
  return found
}

const reportableFields = ['environment', 'sessionId', 'userId', 'service', 'sdk', 'tags'] as const
type ReportableField = (typeof reportableFields)[number]

function firstReported(
  spans: readonly CountedSpan[],
  { parents, bottomUp }: Tree,
): Record<ReportableField, string | null> {
  const depths = new Int32Array(spans.length)
  const reported: Record<ReportableField, string | null> = {
    environment: null,
    sessionId: null,
    userId: null,
    service: null,
    sdk: null,
    tags: null,
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

/** As with all labels: a batch that says nothing of tags leaves the word to the spans. */
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

/**
 * Calls of a model are `llm` spans but for those directly around another. Tool calls are `tool` spans, calls over MCP that no span of the same call wraps (a `tool` span, or the
 * client's around the server's), and functions that were called (have a parent) and call nothing themselves.
 */
function callsOf(
  spans: readonly CountedSpan[],
  { parents, bottomUp }: Tree,
): Pick<Trace, 'llmCallCount' | 'toolCallCount'> {
  let llmCallCount = 0
  let toolCallCount = 0
  // The nearest call of a tool above, or -1.
  const callers = new Int32Array(spans.length).fill(-1)
  const hasChildren = new Uint8Array(spans.length)
  const wraps = new Uint8Array(spans.length)
  for (let index = 0; index < spans.length; index += 1) {
    const parent = parents[index]!
    if (parent < 0) continue
    hasChildren[parent] = 1
    // A framework's span and the client's within it tell one call.
    if (spans[index]!.kind === 'llm' && spans[parent]!.kind === 'llm') wraps[parent] = 1
  }

  for (let i = bottomUp.length - 1; i >= 0; i -= 1) {
    const index = bottomUp[i]!
    const parent = parents[index]!
    const { kind, name } = spans[index]!
    if (parent >= 0) callers[index] = isCall(spans[parent]!) ? parent : callers[parent]!
    if (kind === 'llm') llmCallCount += wraps[index] === 1 ? 0 : 1
    else if (kind === 'tool') toolCallCount += 1
    else if (kind === 'function' && parent >= 0 && hasChildren[index] === 0) toolCallCount += 1
    else if (isCall(spans[index]!)) {
      const wrapper = spans[callers[index]!]
      if (wrapper === undefined || toolName(wrapper.name) !== toolName(name)) toolCallCount += 1
    }
  }
  return { llmCallCount, toolCallCount }
}

function isCall({ kind, name }: CountedSpan): boolean {
  return kind === 'tool' || (kind === 'mcp' && !nonToolMcpMethod.test(name))
}

// Traffic of the protocol that calls no tool, by the span names that OpenTelemetry, the MCP SDKs and OpenLLMetry
// give it.
const nonToolMcpMethod =
  /^(?:MCP send )?(?:initialize|ping|tools\/list|(?:resources|prompts|notifications|completion|logging|roots|sampling|elicitation|server|tasks|subscriptions)\/[^\s.]+)(?: |\.mcp$|$)/

/** `get_weather` of `execute_tool get_weather`, of `tools/call get_weather` and of `get_weather.tool`. */
function toolName(name: string): string {
  return name.replace(/^(?:execute_tool|(?:MCP send )?tools\/call) /, '').replace(/\.tool$/, '')
}

function tokensOf(
  spans: readonly CountedSpan[],
  tree: Tree,
): Pick<Trace, 'tokensIn' | 'tokensOut'> {
  let tokensIn = 0
  let tokensOut = 0
  const hasTokens = (span: CountedSpan) => (span.tokensIn ?? 0) > 0 || (span.tokensOut ?? 0) > 0
  for (const index of deepest(spans, tree, hasTokens)) {
    const span = spans[index]!
    // Sums beyond what a double counts exactly stop there rather than depend on the order of adding.
    tokensIn = Math.min(tokensIn + (span.tokensIn ?? 0), Number.MAX_SAFE_INTEGER)
    tokensOut = Math.min(tokensOut + (span.tokensOut ?? 0), Number.MAX_SAFE_INTEGER)
  }
  return { tokensIn, tokensOut }
}

/** Tokens and dollars are looked at apart: an agent may know the price of calls that only counted tokens. */
function costOf(spans: readonly CountedSpan[], tree: Tree): number | null {
  const indexes = deepest(spans, tree, (span) => (span.costUsd ?? 0) > 0)
  if (indexes.length > 0) return sumOfDollars(indexes.map((index) => spans[index]!.costUsd!))
  return spans.some((span) => span.costUsd !== null) ? 0 : null
}

/** Places of the spans that carry something and have no span below them that does. */
function deepest(
  spans: readonly CountedSpan[],
  { parents, bottomUp }: Tree,
  carries: (span: CountedSpan) => boolean,
): number[] {
  const found: number[] = []
  const isBelow = new Uint8Array(spans.length)
  for (const index of bottomUp) {
    const isCarrier = isBelow[index] === 0 && carries(spans[index]!)
    if (isCarrier) found.push(index)
    const parent = parents[index]!
    if (parent >= 0 && (isCarrier || isBelow[index] === 1)) isBelow[parent] = 1
  }
  return found
}

const picoPerDollar = 1e12

/**
 * The same sum in whatever order: added up in whole millionths of a millionth, which is exact up to 9007
 * dollars and makes 0.1 and 0.2 give 0.3; beyond that in ascending order.
 */
function sumOfDollars(amounts: readonly number[]): number {
  const picos = amounts.reduce((sum, amount) => sum + Math.round(amount * picoPerDollar), 0)
  if (picos <= Number.MAX_SAFE_INTEGER) return picos / picoPerDollar
  const sum = amounts.toSorted((a, b) => a - b).reduce((total, amount) => total + amount, 0)
  return Math.min(sum, Number.MAX_VALUE)
}

function modelsOf(spans: readonly CountedSpan[]): string[] {
  const models = new Set<string>()
  for (const { model } of spans) if (model !== null && model !== '') models.add(model)
  return [...models].sort(compareIds)
}
