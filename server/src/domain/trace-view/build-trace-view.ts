import { parseConversation } from '@assay/contract/conversation.ts'
import { type Fields, isFields } from '@assay/contract/message-parts.ts'
import type { ListedSpan, Trace } from '@assay/contract/traces.ts'
import { leavesIn, textOf } from './canonical-json.ts'
import { readExpectations } from './read-expectations.ts'
import { lastOfRole, longestConversation, readMessages, readModelCall } from './read-messages.ts'
import { readMemoryOperation, readRetrieval } from './read-retrieval.ts'
import { readToolCalls } from './read-tool-calls.ts'
import { readListedTools } from './read-tool-definitions.ts'
import type {
  ModelCall,
  SpanText,
  ToolCall,
  ToolDefinition,
  TraceView,
  ViewError,
  ViewMessage,
  ViewSpan,
} from './trace-view.ts'

/** A span as the API returns it, with its bodies. */
export type ReadSpan = ListedSpan & {
  readonly input: unknown
  readonly output: unknown
  readonly attributes: unknown
  readonly events: unknown
}

/** The members of a trace that a view has. */
export type ViewedTrace = Pick<
  Trace,
  'trace_id' | 'status' | 'tags' | 'duration_ms' | 'tokens_in' | 'tokens_out' | 'cost_usd'
>

/** `spans` in the order of the API: by start, then id. */
export function buildTraceView(trace: ViewedTrace, read: readonly ReadSpan[]): TraceView {
  const spans = read.map(toViewSpan)
  const root = findRoot(spans)
  const modelCalls = spans
    .filter(({ kind, isRepeated }) => kind === 'llm' && !isRepeated)
    .map(readModelCall)
  const toolCalls = readToolCalls(spans, modelCalls)
  return {
    ...{ traceId: trace.trace_id, status: trace.status, tags: trace.tags },
    ...{ durationMs: trace.duration_ms, costUsd: trace.cost_usd },
    ...{ tokensIn: trace.tokens_in, tokensOut: trace.tokens_out },
    ...{ spans, root, modelCalls, toolCalls },
    ...readTexts(spans, root, modelCalls),
    messages: longestConversation(root, modelCalls),
    toolDefinitions: distinct([
      ...modelCalls.flatMap(({ tools }) => tools),
      ...spans.flatMap(readListedTools),
    ]),
    retrievals: spans.filter(({ kind }) => kind === 'retriever').map(readRetrieval),
    memoryOperations: spans
      .filter(({ kind }) => kind === 'memory')
      .flatMap((span) => readMemoryOperation(span) ?? []),
    errors: readErrors(spans, toolCalls),
    expectations: readExpectations(root, trace.tags),
  }
}

function toViewSpan(span: ReadSpan): ViewSpan {
  return {
    spanId: span.span_id,
    parentSpanId: span.parent_span_id,
    name: span.name,
    kind: span.kind,
    status: span.status,
    statusMessage: span.status_message,
    startedMs: Date.parse(span.started_at),
    endedMs: Date.parse(span.ended_at),
    model: span.model,
    tokensIn: span.tokens_in,
    tokensOut: span.tokens_out,
    tokensCacheRead: span.tokens_cache_read,
    costUsd: span.cost_usd,
    isRepeated: span.repeats_span_id !== null,
    input: span.input,
    output: span.output,
    attributes: isFields(span.attributes) ? span.attributes : {},
    events: (Array.isArray(span.events) ? span.events : []).filter((one): one is Fields =>
      isFields(one),
    ),
  }
}

function findRoot(spans: readonly ViewSpan[]): ViewSpan | undefined {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  return (
    spans.find(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId)) ?? spans[0]
  )
}

interface Texts {
  readonly input: SpanText | undefined
  readonly output: SpanText | undefined
  readonly system: SpanText | undefined
}

/** The root has what the user sent and saw, unless its sender left it out: then the first and last model calls have. */
function readTexts(
  spans: readonly ViewSpan[],
  root: ViewSpan | undefined,
  modelCalls: readonly ModelCall[],
): Texts {
  const rootIn = root === undefined ? [] : readMessages(root, 'input', 'user')
  const rootOut = root === undefined ? [] : readMessages(root, 'output', 'assistant')
  const firstIn = modelCalls.find(({ messages }) => messages.length > 0)?.messages ?? []
  const systems = [...modelCalls.map(({ messages }) => messages), rootIn]
  return {
    input: lastOfRole(rootIn, 'user') ?? lastOfRole(firstIn, 'user') ?? jsonOf(root, 'input'),
    output:
      lastOfRole(rootOut, 'assistant') ??
      lastAnswer(modelCalls) ??
      lastMessage(spans) ??
      jsonOf(root, 'output'),
    system: systems.map(systemIn).find((one) => one !== undefined),
  }
}

function lastAnswer(modelCalls: readonly ModelCall[]): SpanText | undefined {
  const last = modelCalls.findLast(({ text }) => text.trim() !== '')
  return last && { spanId: last.span.spanId, text: last.text }
}

/** An answer in a span that is no model call, such as the log entry at the end of a stream. */
function lastMessage(spans: readonly ViewSpan[]): SpanText | undefined {
  for (const span of spans.toReversed()) {
    if (isStep(span) || parseConversation(span.output) === undefined) continue
    const found = lastOfRole(readMessages(span, 'output', 'assistant'), 'assistant')
    if (found !== undefined) return found
  }
  return undefined
}

function isStep({ kind }: ViewSpan): boolean {
  return kind === 'tool' || kind === 'mcp' || kind === 'retriever' || kind === 'memory'
}

/** What a root without messages received or returned; empty objects and lists are nothing. */
function jsonOf(root: ViewSpan | undefined, of: 'input' | 'output'): SpanText | undefined {
  if (root === undefined || isStep(root)) return undefined
  const hasContent = hasFilledLeaf(root[of]) && parseConversation(root[of]) === undefined
  return hasContent ? { spanId: root.spanId, text: textOf(root[of]) } : undefined
}

function hasFilledLeaf(value: unknown): boolean {
  for (const leaf of leavesIn(value)) if (String(leaf.value).trim() !== '') return true
  return false
}

function systemIn(messages: readonly ViewMessage[]): SpanText | undefined {
  const own = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const [first] = own
  const text = own.map((message) => message.text).join('\n')
  return first === undefined || text.trim() === '' ? undefined : { spanId: first.spanId, text }
}

/** Equal definitions once, so that a name occurs twice only when its definition changed. */
function distinct(definitions: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const byContent = new Map<string, ToolDefinition>()
  for (const definition of definitions) {
    const { spanId: _spanId, ...content } = definition
    const key = JSON.stringify(content)
    if (!byContent.has(key)) byContent.set(key, definition)
  }
  return [...byContent.values()]
}

function readErrors(spans: readonly ViewSpan[], toolCalls: readonly ToolCall[]): ViewError[] {
  const ofSpans = spans
    .filter(({ status }) => status === 'ERROR')
    .map((span) => ({ span, message: span.statusMessage ?? 'no error message' }))
  const ofResults = toolCalls
    .filter(({ span, error }) => error !== undefined && span.status !== 'ERROR')
    .map(({ span, error }) => ({ span, message: error! }))
  return [...ofSpans, ...ofResults].sort((a, b) => a.span.startedMs - b.span.startedMs)
}
