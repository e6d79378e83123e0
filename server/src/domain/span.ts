import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A span as the server uses it, independent of its source.
 */

export type SpanStatus = 'OK' | 'ERROR'

/** `reported` by the sender, `priced` from the price table, or `unknown` (never counted as 0). */
export type CostSource = 'reported' | 'priced' | 'unknown'

/**
 * Token counts of one model call. `tokensIn` includes cache reads and writes, `tokensOut` includes
 * reasoning. Null: not reported.
 */
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

/** What the price of a model call depends on besides model, tokens and time. Null: not reported. */
export interface PricingFacts {
  /** Who served the call, as reported by the sender. */
  readonly provider: string | null
  /** The service tier: `batch`, `flex`, `priority` and the like, in lower case. */
  readonly serviceTier: string | null
  /** The part of `tokensCacheWrite` that is cached for an hour; the rest is cached for five minutes. */
  readonly tokensCacheWrite1h: number | null
}

export const noPricingFacts: PricingFacts = {
  provider: null,
  serviceTier: null,
  tokensCacheWrite1h: null,
}

/**
 * The computed price of a span, also of one with a reported cost. All null when there is nothing to price.
 */
export interface SpanPrice {
  readonly computedCostUsd: number | null
  /**
   * `list:` and the model in the price list, or `project:` or `organization:` and the id of the custom
   * price.
   */
  readonly priceSource: string | null
  /** The first day on which that price applies, if known: `2026-01-31`. */
  readonly priceDate: string | null
  readonly unpricedReason: UnpricedReason | null
}

export const noPrice: SpanPrice = {
  computedCostUsd: null,
  priceSource: null,
  priceDate: null,
  unpricedReason: null,
}

/** Everything of a span except its bodies: small, and enough for lists, trees and totals. */
export interface SpanHead extends Usage, PricingFacts, SpanPrice {
  readonly spanId: string
  /** Null for a root. The parent may never arrive. */
  readonly parentSpanId: string | null
  readonly name: string
  /** One of the well-known kinds, or any other value. */
  readonly kind: string
  readonly status: SpanStatus
  readonly statusMessage: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  /** Null where the sender reports no duration. */
  readonly latencyMs: number | null
  readonly model: string | null
  readonly costUsd: number | null
  readonly costSource: CostSource
  readonly sessionId: string | null
  readonly userId: string | null
  readonly environment: string | null
  readonly service: string | null
  /** Name and version of the instrumentation or SDK. */
  readonly sdk: string | null
  /** The provider's id of the response. */
  readonly responseId: string | null
  /** The span of another instrumentation that counts in its place (repeated-calls.ts). Set by the store. */
  readonly repeatsSpanId: string | null
  /** Whether it counts beside the calls within it (separate-calls.ts). Set by the store. */
  readonly isSeparateCall: boolean
  /** The tags that the span sets for its trace: a JSON list of strings. */
  readonly tags: JsonText | null
  /** The name that the span sets for its trace. */
  readonly traceName: string | null
}

/**
 * The large, free-form part. `input` and `output` are any JSON; the others are objects and arrays, as
 * named.
 */
export interface SpanBody {
  readonly input: JsonText
  readonly output: JsonText
  readonly attributes: JsonText
  readonly events: JsonText
  readonly links: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
}

/** What a price is computed from. */
export type PricedFacts = Usage & PricingFacts & Pick<SpanHead, 'kind' | 'model' | 'startedAt'>

export interface Span extends SpanHead {
  readonly traceId: string
  readonly body: SpanBody
}

export type Mode = 'live' | 'simulation'
/** Why a trace is not known to have ended: its root has no end yet, or the parent of its first span has not arrived. */
export type Unfinished = 'root_open' | 'root_missing'
export type Source = 'json' | 'otlp'

/** Values that a JSON batch sets for its whole trace; see trace-labels.ts for which batch wins. */
export interface TraceLabels {
  readonly rootName: string | null
  readonly environment: string | null
  readonly mode: Mode | null
  readonly tags: readonly string[]
  readonly sessionId: string | null
  readonly userId: string | null
  /** What people have changed about the tags of the stored trace; batches have none. */
  readonly tagChanges?: TagChanges
}

/** Tags that people have added and removed, whatever batches set. */
export interface TagChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** A trace: a pure function of its stored spans and of the labels of its batches. */
export interface Trace {
  readonly traceId: string
  readonly projectId: string
  readonly rootName: string
  readonly status: SpanStatus
  /** Null: its root has ended. */
  readonly unfinished: Unfinished | null
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
  /** Calls of models that used tokens. */
  readonly modelCallCount: number
  /** Those of them without a known cost. */
  readonly unpricedCallCount: number
  readonly models: readonly string[]
  readonly updatedAt: Instant
}
