import type { TraceOrder } from '@assay/contract/traces.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Mode, Source, SpanBody, SpanHead, SpanStatus, Trace } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * Reading traces and spans.
 *
 * Order. Traces are listed newest first by (startedAt, traceId), both descending; spans oldest first by
 * (startedAt, spanId). Ids compare by their UTF-8 bytes.
 *
 * Missing. A trace or span that does not exist is undefined; lists return an empty page.
 */
export interface TraceReads {
  findTrace(projectId: string, traceId: string, options?: ReadOptions): Promise<Trace | undefined>

  /**
   * At most `limit` traces after `after`. Filters examine at least about `scanLimit` traces: a page that ends there
   * has the matching traces down to `coverageStart`, maybe none, and `next` to continue from there. `total` counts
   * all traces of the project, or with the filter `mode` alone those of the mode; null with other filters.
   *
   * In another order, the matching traces among about the newest `scanLimit` are sorted, those with an unknown value
   * last: `coverageStart` is set if there are more, and `next` continues within them.
   */
  listTraces(projectId: string, query: TraceQuery, options?: ReadOptions): Promise<TracePage>

  /** Traces by id, in any order, without those that do not exist. At most 500 ids. */
  findTraces(
    projectId: string,
    traceIds: readonly string[],
    options?: ReadOptions,
  ): Promise<readonly Trace[]>

  findSpan(
    projectId: string,
    traceId: string,
    spanId: string,
    options?: ReadOptions,
  ): Promise<StoredSpan | undefined>

  /**
   * The trace, and its spans after `after` as a JSON list. At most `limit` spans, fewer when they exceed
   * `limits.pageBytes`: only `next` indicates whether there are more. While spans of the trace are being recorded,
   * `trace` may count some that a page does not have yet, or not count some that it has; later reads agree.
   */
  readSpansJson(
    projectId: string,
    traceId: string,
    query: SpanQuery,
    options?: ReadOptions,
  ): Promise<SpanJsonPage | undefined>

  /** `findSpan` with the span as JSON. */
  readSpanJson(
    projectId: string,
    traceId: string,
    spanId: string,
    options?: ReadOptions,
  ): Promise<JsonBytes | undefined>

  /**
   * The tool calls among at most `limit` spans after `after`, for an export. Fewer spans when the tool calls exceed
   * `limits.pageBytes`. A trace that does not exist has none.
   */
  readToolCalls(
    projectId: string,
    traceId: string,
    query: Omit<SpanQuery, 'bodies'>,
    options?: ReadOptions,
  ): Promise<ToolCallPage>
}

/** JSON of the API in UTF-8 (domain/serialize-span.ts). */
export type JsonBytes = Uint8Array<ArrayBuffer>

export interface TraceQuery {
  readonly limit: number
  readonly after?: Position
  readonly filters: TraceFilters
  /** Newest first by default. */
  readonly order?: TraceOrder
  /** Traces to examine for the filters; 100,000 by default. */
  readonly scanLimit?: number
}

/**
 * All optional; filters combine with AND. Of a trace with very many different values, at least 200 span names and
 * 100 each of its tags, models and kinds are compared.
 */
export interface TraceFilters {
  readonly status?: SpanStatus
  readonly mode?: Mode
  readonly environment?: AnyOf
  readonly source?: Source
  /** Part of the root name or of a span name, ignoring case. */
  readonly name?: string
  /**
   * Words that all occur in the name, status message, input or output of one span; in scripts without spaces,
   * any part of the text is a word. Case, width and diacritics are ignored, and `word*` matches every word with
   * that prefix. May be behind: see `searchLagMs` (health.ts).
   */
  readonly search?: string
  /** All of these. */
  readonly tags?: readonly string[]
  readonly anyTag?: AnyOf
  /** One of its spans has this model. */
  readonly model?: AnyOf
  /** One of its spans is of this kind. */
  readonly kind?: AnyOf
  /**
   * All of these, each in one of its spans. At most `limits.attributeTraces` traces are compared for a page, and
   * `limits.attributeBytes` of their spans, also within one trace. An excluded one is in none of its spans.
   */
  readonly attributes?: readonly AttributeFilter[]
  /** Neither bound of the cost matches a trace whose cost is unknown. All bounds are inclusive. */
  readonly minCostUsd?: number
  readonly maxCostUsd?: number
  readonly minDurationMs?: number
  readonly maxDurationMs?: number
  /** Input and output tokens together. */
  readonly minTokens?: number
  readonly maxTokens?: number
  readonly service?: AnyOf
  readonly sessionId?: AnyOf
  readonly userId?: AnyOf
  readonly excluded?: ExcludedValues
  /** The beginning of the trace id, or all of it. */
  readonly traceIdPrefix?: string
  /** Whether it has any score, of any status. */
  readonly hasScore?: boolean
  readonly score?: ScoreFilter
  /** Started at this instant or later. */
  readonly from?: Instant
  /** Started before this instant. */
  readonly to?: Instant
}

/** An attribute of a span or its resource: the exact text, an equal number or boolean, or a list with such an element. */
export interface AttributeFilter {
  readonly key: string
  readonly value: string
  /** Leaves out the traces that have it. */
  readonly isExcluded?: true
}

/** One of the values matches. Not empty. */
export type AnyOf = string | readonly string[]

/** A trace that matches a filter of the same name by one of these values is left out. */
export type ExcludedValues = Partial<
  Readonly<
    Record<
      'environment' | 'service' | 'sessionId' | 'userId' | 'model' | 'kind' | 'tag',
      readonly string[]
    > &
      Record<'name', string>
  >
>

/** By the score of one name (scores.ts). Both bounds are inclusive. */
export interface ScoreFilter {
  readonly name: string
  readonly min?: number
  readonly max?: number
  readonly passed?: boolean
}

export interface TracePage {
  readonly traces: readonly Trace[]
  /** Where the next page starts; undefined on the last page. */
  readonly next: Position | undefined
  /** Set when the scan limit ended the page early: matching traces that started before this instant may follow. */
  readonly coverageStart: Instant | undefined
  readonly total: number | null
  /** Whether `total` is an estimate. */
  readonly isTotalEstimate: boolean
}

export interface SpanQuery {
  readonly limit: number
  readonly after?: Position
  readonly bodies: boolean
}

export interface StoredSpan extends SpanHead {
  readonly body: SpanBody
}

export interface SpanJsonPage {
  readonly trace: Trace
  readonly json: JsonBytes
  readonly count: number
  readonly next: Position | undefined
}

export interface ToolCallPage {
  /** A list. */
  readonly json: JsonBytes
  readonly count: number
  /** The last model call with an input among these spans. */
  readonly modelCallId: string | undefined
  /** The first of these spans. */
  readonly firstSpanId: string | undefined
  readonly next: Position | undefined
}
