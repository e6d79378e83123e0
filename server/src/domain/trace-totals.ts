import { compareIds } from './id-order.ts'
import { millisBetween } from './instant.ts'
import type { Source, SpanHead, Trace, TraceLabels } from './span.ts'
import { hasCost, hasTokens, isEarlier, type SpanTree, spansAbove, treeOf } from './span-tree.ts'

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

/** The earliest span without a stored parent; where circles leave none, the earliest at which one was cut. */
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
  if (found === undefined) throw new Error('A trace is made of at least one span.')
  return found
}

const reportableFields = ['environment', 'sessionId', 'userId', 'service', 'sdk', 'tags'] as const
type ReportableField = (typeof reportableFields)[number]

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
  { parents, bottomUp }: SpanTree,
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
  tree: SpanTree,
): Pick<Trace, 'tokensIn' | 'tokensOut'> {
  let tokensIn = 0
  let tokensOut = 0
  const isAbove = spansAbove(spans, tree, hasTokens)
  for (const [index, span] of spans.entries()) {
    if (isAbove[index] === 1) continue
    // Sums beyond what a double counts exactly stop there rather than depend on the order of adding.
    tokensIn = Math.min(tokensIn + (span.tokensIn ?? 0), Number.MAX_SAFE_INTEGER)
    tokensOut = Math.min(tokensOut + (span.tokensOut ?? 0), Number.MAX_SAFE_INTEGER)
  }
  return { tokensIn, tokensOut }
}

function costOf(spans: readonly CountedSpan[], tree: SpanTree): number | null {
  if (spans.every(({ costUsd }) => costUsd === null)) return null
  const isAbove = spansAbove(spans, tree, hasCost)
  return sumOfDollars(
    spans.map(({ costUsd }, index) => (isAbove[index] === 1 ? 0 : (costUsd ?? 0))),
  )
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
