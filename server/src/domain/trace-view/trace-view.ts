import type { Message } from '@assay/contract/conversation.ts'
import type { Fields } from '@assay/contract/message-parts.ts'
import type { JsonValue } from './canonical-json.ts'

/*
 * A trace as evaluators read it: messages, tool calls, retrieved items and memory operations, whatever convention the
 * spans were sent in. A pure function of the trace and its spans.
 */

export interface TraceView {
  readonly traceId: string
  readonly status: 'OK' | 'ERROR'
  readonly tags: readonly string[]
  readonly durationMs: number
  /** Of the whole trace, each token counted once. */
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null when the cost of no span is known. */
  readonly costUsd: number | null
  /** Ordered by start, then id. */
  readonly spans: readonly ViewSpan[]
  /** The first span without a stored parent; undefined in a trace without spans. */
  readonly root: ViewSpan | undefined
  /** The last message of the user. */
  readonly input: SpanText | undefined
  /** The last answer that the user can see. */
  readonly output: SpanText | undefined
  /** The system prompt of the first model call that has one. */
  readonly system: SpanText | undefined
  /** The conversation with the most messages: those sent to a model or received by the root, and its answer. */
  readonly messages: readonly ViewMessage[]
  /** Without those that repeat another one. */
  readonly modelCalls: readonly ModelCall[]
  /** Every call once: of its span, else as the model requested it. Ordered by start. */
  readonly toolCalls: readonly ToolCall[]
  readonly toolDefinitions: readonly ToolDefinition[]
  readonly retrievals: readonly Retrieval[]
  readonly memoryOperations: readonly MemoryOperation[]
  /** Spans in error, and tool calls whose result is an error. Ordered by start. */
  readonly errors: readonly ViewError[]
  readonly expectations: Expectations
}

/** A text and the span that contains it, so that it can be quoted. */
export interface SpanText {
  readonly spanId: string
  readonly text: string
}

export interface ViewSpan {
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: string
  readonly status: 'OK' | 'ERROR'
  readonly statusMessage: string | null
  /** Milliseconds since 1970, with fractions. */
  readonly startedMs: number
  readonly endedMs: number
  readonly model: string | null
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly tokensCacheRead: number | null
  readonly costUsd: number | null
  /** It reports a call that another span counts. */
  readonly isRepeated: boolean
  readonly input: unknown
  readonly output: unknown
  readonly attributes: Fields
  readonly events: readonly Fields[]
}

export interface ViewMessage extends Message {
  readonly spanId: string
  /** Its text parts. */
  readonly text: string
}

export interface ModelCall {
  readonly span: ViewSpan
  /** Sent to the model. */
  readonly messages: readonly ViewMessage[]
  readonly response: readonly ViewMessage[]
  /** Of the response, without reasoning and tool calls. */
  readonly text: string
  /** As the provider names them, in lower case: `stop`, `length`, `tool_calls`. */
  readonly finishReasons: readonly string[]
  readonly tools: readonly ToolDefinition[]
  /** OpenAI's `response_format`, or undefined. */
  readonly responseFormat: unknown
}

export interface ToolCall {
  /** Of the tool's span, or of the model call that requested it when the tool has no span. */
  readonly span: ViewSpan
  readonly hasOwnSpan: boolean
  readonly callId: string | undefined
  readonly name: string
  /** Parsed, if it was JSON text. */
  readonly input: JsonValue
  /** Undefined: it never returned. */
  readonly output: JsonValue | undefined
  readonly isMcp: boolean
  /** Undefined: it succeeded. */
  readonly error: string | undefined
}

export interface ToolDefinition {
  readonly spanId: string
  readonly name: string
  readonly description: string
  /** A JSON Schema of the arguments; undefined when none was recorded. */
  readonly parameters: Fields | undefined
  readonly outputSchema: Fields | undefined
  /** MCP's hints, such as `destructiveHint`. */
  readonly annotations: Fields
  /** From `tools/list` of MCP, not from a model call. */
  readonly isMcp: boolean
}

export interface Retrieval {
  readonly span: ViewSpan
  readonly query: string
  readonly items: readonly RetrievedItem[]
}

export interface RetrievedItem {
  readonly spanId: string
  readonly id: string
  readonly text: string
  /** From 1. */
  readonly rank: number
}

export interface MemoryOperation {
  readonly span: ViewSpan
  readonly operation: 'write' | 'read'
  readonly key: string
  /** Written, or returned by the read; null for a miss. */
  readonly value: JsonValue
}

export interface ViewError {
  readonly span: ViewSpan
  readonly message: string
}

/**
 * What the sender expects of the trace. By key, without `eval.`: from attributes of the root span, then `eval` in its
 * input, then tags `eval:key=value`. JSON text is parsed.
 */
export type Expectations = ReadonlyMap<string, JsonValue>
