import { type IngestBatch, type IngestSpan, ingestTrace } from '@assay/contract/ingest.ts'
import type { AttributeValue } from '../../conventions/decoded-span.ts'
import { inclusiveUsage } from '../../conventions/inclusive-usage.ts'
import { readPricingFacts } from '../../conventions/pricing-facts.ts'
import { type Instant, millisBetween, parseInstant } from '../../domain/instant.ts'
import {
  emptyArray,
  emptyObject,
  type JsonText,
  toJsonText,
  toStorableJson,
  toStorableText,
} from '../../domain/json-text.ts'
import {
  noPrice,
  noPricingFacts,
  noUsage,
  type PricingFacts,
  type Span,
  type SpanStatus,
  type TraceLabels,
  type Usage,
} from '../../domain/span.ts'
import { checkedJson } from '../../http/json-body.ts'
import { Failure } from '../../platform/failure.ts'
import type { Encode, EncodedBatch } from '../../storage/telemetry/port/ingest.ts'

/*
 * Parses the bytes of an ingest body to spans in their stored form. A pure function.
 */

interface BatchFacts {
  readonly labels: TraceLabels
  /** The status to report to the sender, independent of the spans. */
  readonly reportedStatus: SpanStatus | null
}

export interface PreparedBatch extends BatchFacts {
  readonly spans: readonly Span[]
}

export interface EncodedIngestBatch extends BatchFacts {
  readonly encoded: EncodedBatch
}

/** Like `prepareBatch`, encoded for the store. */
export function encodeBatch(bytes: Uint8Array, encode: Encode): EncodedIngestBatch {
  const { spans, ...facts } = prepareBatch(bytes)
  return { encoded: encode(spans), ...facts }
}

/** Throws the refusals that the contract declares for the body. */
export function prepareBatch(bytes: Uint8Array): PreparedBatch {
  const batch = checkedJson(ingestTrace, bytes, withRejectedSpans) as IngestBatch
  const traceId = toStorableText(batch.trace_id)
  return {
    spans: batch.spans.map((span) => storedForm(traceId, span)),
    labels: toLabels(batch),
    reportedStatus: batch.status ?? null,
  }
}

/** The same refusal, with the number of spans that the batch holds. */
function withRejectedSpans(batch: unknown, { code, message, details }: Failure): never {
  const { spans } = (batch ?? {}) as { readonly spans?: unknown }
  const rejectedSpans = Array.isArray(spans) ? spans.length : 0
  throw new Failure(code, message, { details, rejectedSpans })
}

function toLabels(batch: IngestBatch): TraceLabels {
  return {
    rootName: textOrNull(batch.root_name),
    environment: textOrNull(batch.environment),
    mode: batch.mode ?? null,
    tags: (batch.tags ?? []).map(toStorableText),
    sessionId: textOrNull(batch.session_id),
    userId: textOrNull(batch.user_id),
  }
}

function storedForm(traceId: string, span: IngestSpan): Span {
  const startedAt = parseInstant(span.started_at)
  const endedAt = toEnd(span, startedAt)
  return {
    traceId,
    spanId: toStorableText(span.span_id),
    parentSpanId: textOrNull(span.parent_span_id),
    name: toStorableText(span.name),
    kind: toStorableText(span.kind),
    status: span.status ?? 'OK',
    statusMessage: textOrNull(span.status_message),
    startedAt,
    endedAt,
    latencyMs: span.latency_ms ?? millisBetween(startedAt, endedAt),
    model: textOrNull(span.model),
    ...toUsage(span),
    costUsd: span.cost_usd ?? null,
    costSource: typeof span.cost_usd === 'number' ? 'reported' : 'unknown',
    sessionId: textOrNull(span.session_id),
    userId: textOrNull(span.user_id),
    environment: null,
    service: null,
    sdk: null,
    responseId: null,
    repeatsSpanId: null,
    isSeparateCall: false,
    tags: null,
    traceName: null,
    ...pricingFacts(span),
    ...noPrice,
    body: {
      input: freeForm(span.input),
      output: freeForm(span.output),
      attributes: span.attributes ? freeForm(span.attributes) : emptyObject,
      events: span.events ? freeForm(span.events) : emptyArray,
      links: emptyArray,
      resource: emptyObject,
      scope: emptyObject,
    },
  }
}

/** A part larger than its whole was counted separately. */
function toUsage(span: IngestSpan): Usage {
  const usage = inclusiveUsage({
    input: span.tokens_in ?? undefined,
    output: span.tokens_out ?? undefined,
    total: undefined,
    cacheRead: span.tokens_cache_read ?? undefined,
    cacheWrite: span.tokens_cache_write ?? undefined,
    reasoning: span.tokens_reasoning ?? undefined,
  })
  return usage ?? noUsage
}

/** From the span's own fields, else from attributes of instrumentations. */
function pricingFacts(span: IngestSpan): PricingFacts {
  const { provider, service_tier, tokens_cache_write_1h, attributes } = span
  const reported = attributes
    ? readPricingFacts(new Map(Object.entries(attributes as Record<string, AttributeValue>)))
    : noPricingFacts
  return {
    provider: textOrNull(provider) ?? reported.provider,
    serviceTier: textOrNull(service_tier)?.toLowerCase() ?? reported.serviceTier,
    tokensCacheWrite1h: tokens_cache_write_1h ?? reported.tokensCacheWrite1h,
  }
}

function toEnd({ ended_at, latency_ms }: IngestSpan, startedAt: Instant): Instant {
  if (typeof ended_at === 'string') return parseInstant(ended_at)
  return startedAt + BigInt(Math.round((latency_ms ?? 0) * 1e6))
}

function freeForm(value: unknown): JsonText {
  return toStorableJson(toJsonText(value))
}

/** Null for empty text. */
function textOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined || text === '' ? null : toStorableText(text)
}
