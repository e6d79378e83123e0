import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A span as the rest of the server knows it. After this nobody asks where it came from.
 */

export type SpanStatus = 'OK' | 'ERROR'

/** `reported` by the sender, `priced` from the price table, or `unknown` (never counted as 0). */
export type CostSource = 'reported' | 'priced' | 'unknown'

/** Token counts of one model call. `tokensIn` includes cache reads and writes, `tokensOut` includes reasoning. Null: not told. */
export interface Usage {
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  readonly tokensCacheRead: number | null
  readonly tokensCacheWrite: number | null
  readonly tokensReasoning: number | null
}

export const noUsage: Usage = {
  tokensIn: null,
  tokensOut: null,
  tokensCacheRead: null,
  tokensCacheWrite: null,
  tokensReasoning: null,
}

/** Everything about a span but its bodies: small, and all that lists, trees and totals need. */
export interface SpanHead extends Usage {
  readonly spanId: string
  /** Null for a root. The parent may never arrive. */
  readonly parentSpanId: string | null
  readonly name: string
  /** One of the well-known kinds, or any other word. */
  readonly kind: string
  readonly status: SpanStatus
  readonly statusMessage: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly latencyMs: number
  readonly model: string | null
  readonly costUsd: number | null
  readonly costSource: CostSource
  readonly sessionId: string | null
  readonly userId: string | null
  readonly environment: string | null
  readonly service: string | null
  /** Instrumentation or SDK, name and version. */
  readonly sdk: string | null
}

/** The heavy, free-form part. `input` and `output` are any JSON; the others objects and arrays as named. */
export interface SpanBody {
  readonly input: JsonText
  readonly output: JsonText
  readonly attributes: JsonText
  readonly events: JsonText
  readonly links: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
}

export interface Span extends SpanHead {
  readonly traceId: string
  readonly body: SpanBody
}

export type Mode = 'live' | 'simulation'
export type Source = 'json' | 'otlp'

/** What a JSON batch says of its whole trace. The newest batch wins, absent members included. */
export interface TraceLabels {
  readonly rootName: string | null
  readonly environment: string | null
  readonly mode: Mode
  readonly tags: readonly string[]
  readonly sessionId: string | null
  readonly userId: string | null
}

/** A trace: a pure function of its stored spans and of the labels of its newest batch. */
export interface Trace {
  readonly traceId: string
  readonly projectId: string
  readonly rootName: string
  readonly status: SpanStatus
  readonly mode: Mode
  readonly environment: string | null
  readonly tags: readonly string[]
  readonly source: Source
  readonly sessionId: string | null
  readonly userId: string | null
  readonly service: string | null
  readonly sdk: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly durationMs: number
  readonly spanCount: number
  readonly errorCount: number
  readonly llmCallCount: number
  readonly toolCallCount: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Null when no span's cost is known. */
  readonly costUsd: number | null
  readonly models: readonly string[]
  readonly updatedAt: Instant
}
