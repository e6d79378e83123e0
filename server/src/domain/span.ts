import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A span as the rest of the server uses it, wherever it came from.
 */

export type SpanStatus = 'OK' | 'ERROR'

/** `reported` by the sender, `priced` from the price table, or `unknown` (never counted as 0). */
export type CostSource = 'reported' | 'priced' | 'unknown'

/** Token counts of one model call. `tokensIn` includes cache reads and writes, `tokensOut` includes reasoning. Null: not reported. */
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

/** What a model call's price depends on besides its model, its tokens and its time. Null: not reported. */
export interface PricingFacts {
  /** Who served the call, as reported. */
  readonly provider: string | null
  /** How it was served: `batch`, `flex`, `priority` and the like, in lower case. */
  readonly serviceTier: string | null
  /** The part of `tokensCacheWrite` that is cached for an hour; the rest is cached for five minutes. */
  readonly tokensCacheWrite1h: number | null
}

export const noPricingFacts: PricingFacts = {
  provider: null,
  serviceTier: null,
  tokensCacheWrite1h: null,
}

/** The price of a span by our price list, also where its cost was reported. All null where there is nothing to price. */
export interface SpanPrice {
  readonly computedCostUsd: number | null
  /** `list:` and the model in the price list, or `project:` or `organization:` and the id of its own price. */
  readonly priceSource: string | null
  /** The day from which that price applies, if known: `2026-01-31`. */
  readonly priceDate: string | null
  readonly unpricedReason: UnpricedReason | null
}

export const noPrice: SpanPrice = {
  computedCostUsd: null,
  priceSource: null,
  priceDate: null,
  unpricedReason: null,
}

/** Everything of a span but its bodies: small, and all that lists, trees and totals need. */
export interface SpanHead extends Usage, PricingFacts, SpanPrice {
  readonly spanId: string
  /** Null for a root. The parent may never arrive. */
  readonly parentSpanId: string | null
  readonly name: string
  /** One of the well-known kinds, or any other string. */
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
  /** The tags that the span gives its trace: a JSON list of strings. */
  readonly tags: JsonText | null
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

/** What a price depends on. */
export type PricedFacts = Usage & PricingFacts & Pick<SpanHead, 'kind' | 'model' | 'startedAt'>

export interface Span extends SpanHead {
  readonly traceId: string
  readonly body: SpanBody
}

export type Mode = 'live' | 'simulation'
export type Source = 'json' | 'otlp'

/** What JSON batches set of their whole trace; see trace-labels.ts for which batch wins. */
export interface TraceLabels {
  readonly rootName: string | null
  readonly environment: string | null
  readonly mode: Mode | null
  readonly tags: readonly string[]
  readonly sessionId: string | null
  readonly userId: string | null
}

/** A trace: a pure function of its stored spans and of the labels of its batches. */
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
