import type { Instant } from '../../../domain/instant.ts'
import type { PricedFacts, PricingFacts, SpanHead, SpanPrice } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * Prices of stored spans. A span is recorded with its price; `reprice` is the only operation that changes it
 * later, and never changes a cost that the sender reported.
 *
 * Versions. A listed span has a version, which is another one after the span was recorded again or re-priced.
 * `reprice` changes a span only while it has the listed version, so repeating a call changes nothing.
 */
export interface Pricing {
  /**
   * Spans that the service prices: those with a model or token counts whose cost was not reported, of the traces
   * that started in the range, ordered by the start of their trace. At most `limit`, fewer when the traces hold
   * few such spans: only `next` indicates whether there are more.
   */
  listPriceable(
    projectId: string,
    query: PriceableQuery,
    options?: ReadOptions,
  ): Promise<PriceablePage>

  /**
   * Changes the prices of spans and updates their traces; returns those that this call changed. Spans with another
   * version are skipped, so what a rejected call has changed is listed with its new price and version.
   */
  reprice(projectId: string, prices: readonly SpanRepricing[]): Promise<readonly SpanRef[]>

  /** Counts at least `scanLimit` traces of the range, if it has as many. */
  countTraces(projectId: string, query: TraceCountQuery, options?: ReadOptions): Promise<TraceCount>

  /** Models of the newest traces in the range, at most `limit`, ordered by unpriced spans, descending. */
  listModels(projectId: string, query: ModelQuery, options?: ReadOptions): Promise<ModelPage>
}

/** From an instant up to, not including, another. */
export interface TimeRange {
  readonly from: Instant
  readonly to: Instant
}

export interface TraceCountQuery {
  readonly range: TimeRange
  /** Traces to examine. */
  readonly scanLimit: number
}

export interface TraceCount {
  readonly count: number
  /** False when the range has more traces than were counted. */
  readonly isComplete: boolean
}

export interface PriceableQuery {
  readonly range: TimeRange
  readonly limit: number
  readonly after?: Position
}

export type PriceableSpan = PricedFacts &
  SpanPrice &
  Pick<SpanHead, 'spanId' | 'costUsd'> & {
    readonly traceId: string
    /** Opaque. */
    readonly version: string
  }

export interface PriceablePage {
  readonly spans: readonly PriceableSpan[]
  /** Traces that this page completes. */
  readonly traceCount: number
  readonly next: Position | undefined
}

export interface SpanRef {
  readonly traceId: string
  readonly spanId: string
}

export interface SpanRepricing extends SpanRef {
  /** As listed. */
  readonly version: string
  readonly price: SpanPrice
}

export interface ModelQuery {
  readonly range: TimeRange
  /** The newest traces to examine. */
  readonly traceLimit: number
  readonly limit: number
}

export interface ModelPage {
  readonly models: readonly UsedModel[]
  /** Traces that were examined. */
  readonly traceCount: number
  /** Whether those are all traces in the range. */
  readonly isComplete: boolean
}

/** A model by name, provider and service tier. */
export interface UsedModel extends Pick<PricingFacts, 'provider' | 'serviceTier'> {
  readonly model: string
  /** Calls: spans with the model, except those above spans with tokens, which they repeat. */
  readonly spanCount: number
  /** Calls that used tokens, and those of them whose cost is unknown. */
  readonly callCount: number
  readonly unpricedCount: number
  /** Sum of the known costs, except those above spans with a cost; null when none is known. */
  readonly costUsd: number | null
  readonly lastStartedAt: Instant
  /** Spans with both a reported and a computed cost, of those in `costUsd`. */
  readonly comparedCount: number
  /** Of those; null when there are none. */
  readonly reportedUsd: number | null
  readonly computedUsd: number | null
}
