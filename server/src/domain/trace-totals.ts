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
  const said = firstSaid(spans, tree)
  const times = timesOf(spans)
  const errorCount = spans.reduce((count, span) => count + (span.status === 'ERROR' ? 1 : 0), 0)
  return {
    rootName: labels?.rootName ?? rootOf(spans, tree).name,
    status: errorCount > 0 ? 'ERROR' : 'OK',
    mode: labels?.mode ?? 'live',
    environment: labels?.environment ?? said.environment,
    tags: tagsOf(labels, said.tags),
    source: spans.some((span) => span.source === 'otlp') ? 'otlp' : 'json',
    sessionId: labels?.sessionId ?? said.sessionId,
    userId: labels?.userId ?? said.userId,
    service: said.service,
    sdk: said.sdk,
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
  readonly upwards: Int32Array
  /** Places whose link to a stored parent was cut because it closed a circle. */
  readonly cut: ReadonlySet<number>
}

function treeOf(spans: readonly CountedSpan[]): Tree {
  const parents = storedParents(spans)
  const waiting = new Int32Array(spans.length)
  for (const parent of parents) if (parent >= 0) waiting[parent]! += 1

  const upwards = new Int32Array(spans.length)
  let placed = 0
  // Places a span, then its parent if it was the last child to wait for, and so on up.
  const climbFrom = (start: number) => {
    for (let place = start; place >= 0 && waiting[place] === 0; ) {
      upwards[placed++] = place
      waiting[place] = -1
      const parent = parents[place]!
      if (parent >= 0) waiting[parent]! -= 1
      place = parent
    }
  }
  for (let place = 0; place < spans.length; place += 1) climbFrom(place)

  const cut = new Set<number>()
  // Whatever still waits lies on a circle: every other span has been reached from its lowest children.
  for (let place = 0; placed < spans.length; place += 1) {
    if (waiting[place]! <= 0) continue
    const first = earliestOnCircle(spans, parents, place)
    const above = parents[first]!
    parents[first] = -1
    cut.add(first)
    waiting[above]! -= 1
    climbFrom(above)
  }
  return { parents, upwards, cut }
}

function storedParents(spans: readonly CountedSpan[]): Int32Array {
  const places = new Map<string, number>()
  for (let place = 0; place < spans.length; place += 1) places.set(spans[place]!.spanId, place)
  const parents = new Int32Array(spans.length).fill(-1)
  for (let place = 0; place < spans.length; place += 1) {
    const { parentSpanId } = spans[place]!
    const parent = parentSpanId === null ? undefined : places.get(parentSpanId)
    if (parent !== undefined && parent !== place) parents[place] = parent
  }
  return parents
}

function earliestOnCircle(
  spans: readonly CountedSpan[],
  parents: Int32Array,
  start: number,
): number {
  let earliest = start
  for (let place = parents[start]!; place !== start; place = parents[place]!) {
    if (isEarlier(spans[place]!, spans[earliest]!)) earliest = place
  }
  return earliest
}

function isEarlier(a: CountedSpan, b: CountedSpan): boolean {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt
  return compareIds(a.spanId, b.spanId) < 0
}

/** The earliest span without a stored parent; where circles leave none, the earliest at which one was cut. */
function rootOf(spans: readonly CountedSpan[], { parents, cut }: Tree): CountedSpan {
  let root = -1
  for (const [place, span] of spans.entries()) {
    if (parents[place] !== -1) continue
    const isBetter =
      root === -1 ||
      (cut.has(place) === cut.has(root) ? isEarlier(span, spans[root]!) : cut.has(root))
    if (isBetter) root = place
  }
  const found = spans[root]
  if (found === undefined) throw new Error('A trace is made of at least one span.')
  return found
}

const sayable = ['environment', 'sessionId', 'userId', 'service', 'sdk', 'tags'] as const
type Sayable = (typeof sayable)[number]

function firstSaid(
  spans: readonly CountedSpan[],
  { parents, upwards }: Tree,
): Record<Sayable, string | null> {
  const depths = new Int32Array(spans.length)
  const said: Record<Sayable, string | null> = {
    environment: null,
    sessionId: null,
    userId: null,
    service: null,
    sdk: null,
    tags: null,
  }
  const sayers: Partial<Record<Sayable, number>> = {}
  for (let i = upwards.length - 1; i >= 0; i -= 1) {
    const place = upwards[i]!
    const parent = parents[place]!
    depths[place] = parent === -1 ? 0 : depths[parent]! + 1
    const span = spans[place]!
    for (const what of sayable) {
      if (span[what] === null) continue
      const rival = sayers[what]
      if (rival !== undefined) {
        const lower = depths[place] - depths[rival]!
        if (lower > 0 || (lower === 0 && !isEarlier(span, spans[rival]!))) continue
      }
      sayers[what] = place
      said[what] = span[what]
    }
  }
  return said
}

/** As with all labels: a batch that says nothing of tags leaves the word to the spans. */
function tagsOf(labels: TraceLabels | null, said: string | null): readonly string[] {
  if (labels !== null && labels.tags.length > 0) return labels.tags
  return said === null ? [] : (JSON.parse(said) as readonly string[])
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
  { parents, upwards }: Tree,
): Pick<Trace, 'llmCallCount' | 'toolCallCount'> {
  let llmCallCount = 0
  let toolCallCount = 0
  // The nearest call of a tool above, or -1.
  const callers = new Int32Array(spans.length).fill(-1)
  const hasChildren = new Uint8Array(spans.length)
  const wraps = new Uint8Array(spans.length)
  for (let place = 0; place < spans.length; place += 1) {
    const parent = parents[place]!
    if (parent < 0) continue
    hasChildren[parent] = 1
    // A framework's span and the client's within it tell one call.
    if (spans[place]!.kind === 'llm' && spans[parent]!.kind === 'llm') wraps[parent] = 1
  }

  for (let i = upwards.length - 1; i >= 0; i -= 1) {
    const place = upwards[i]!
    const parent = parents[place]!
    const { kind, name } = spans[place]!
    if (parent >= 0) callers[place] = isCall(spans[parent]!) ? parent : callers[parent]!
    if (kind === 'llm') llmCallCount += wraps[place] === 1 ? 0 : 1
    else if (kind === 'tool') toolCallCount += 1
    else if (kind === 'function' && parent >= 0 && hasChildren[place] === 0) toolCallCount += 1
    else if (isCall(spans[place]!)) {
      const wrapper = spans[callers[place]!]
      if (wrapper === undefined || calledName(wrapper.name) !== calledName(name)) toolCallCount += 1
    }
  }
  return { llmCallCount, toolCallCount }
}

function isCall({ kind, name }: CountedSpan): boolean {
  return kind === 'tool' || (kind === 'mcp' && !otherMcpMethod.test(name))
}

// Traffic of the protocol that calls no tool, by the span names that OpenTelemetry, the MCP SDKs and OpenLLMetry
// give it.
const otherMcpMethod =
  /^(?:MCP send )?(?:initialize|ping|tools\/list|(?:resources|prompts|notifications|completion|logging|roots|sampling|elicitation|server|tasks|subscriptions)\/[^\s.]+)(?: |\.mcp$|$)/

/** `get_weather` of `execute_tool get_weather`, of `tools/call get_weather` and of `get_weather.tool`. */
function calledName(name: string): string {
  return name.replace(/^(?:execute_tool|(?:MCP send )?tools\/call) /, '').replace(/\.tool$/, '')
}

function tokensOf(
  spans: readonly CountedSpan[],
  tree: Tree,
): Pick<Trace, 'tokensIn' | 'tokensOut'> {
  let tokensIn = 0
  let tokensOut = 0
  const hasTokens = (span: CountedSpan) => (span.tokensIn ?? 0) > 0 || (span.tokensOut ?? 0) > 0
  for (const place of innermost(spans, tree, hasTokens)) {
    const span = spans[place]!
    // Sums beyond what a double counts exactly stop there rather than depend on the order of adding.
    tokensIn = Math.min(tokensIn + (span.tokensIn ?? 0), Number.MAX_SAFE_INTEGER)
    tokensOut = Math.min(tokensOut + (span.tokensOut ?? 0), Number.MAX_SAFE_INTEGER)
  }
  return { tokensIn, tokensOut }
}

/** Tokens and dollars are looked at apart: an agent may know the price of calls that only counted tokens. */
function costOf(spans: readonly CountedSpan[], tree: Tree): number | null {
  const places = innermost(spans, tree, (span) => (span.costUsd ?? 0) > 0)
  if (places.length > 0) return sumOfDollars(places.map((place) => spans[place]!.costUsd!))
  return spans.some((span) => span.costUsd !== null) ? 0 : null
}

/** Places of the spans that carry something and have no span below them that does. */
function innermost(
  spans: readonly CountedSpan[],
  { parents, upwards }: Tree,
  carries: (span: CountedSpan) => boolean,
): number[] {
  const found: number[] = []
  const isBelow = new Uint8Array(spans.length)
  for (const place of upwards) {
    const isCarrier = isBelow[place] === 0 && carries(spans[place]!)
    if (isCarrier) found.push(place)
    const parent = parents[place]!
    if (parent >= 0 && (isCarrier || isBelow[place] === 1)) isBelow[parent] = 1
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
