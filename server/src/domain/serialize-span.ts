import type { ListedSpan } from '@assay/contract/traces.ts'
import { formatInstant } from './instant.ts'
import type { JsonText } from './json-text.ts'
import type { SpanBody, SpanHead } from './span.ts'

/*
 * Serializes a span for the API. Bodies are stored as JSON text and passed through unparsed.
 */

export function serializeSpan(span: SpanHead, body: SpanBody | undefined): JsonText {
  const head = JSON.stringify(toApiSpanHead(span))
  if (body === undefined) return head as JsonText
  const { input, output, attributes, events, links, resource, scope } = body
  return `${head.slice(0, -1)},"input":${input},"output":${output},"attributes":${attributes},"events":${events},"links":${links},"resource":${resource},"scope":${scope}}` as JsonText
}

/** A tool call of an exported trajectory, on one line. */
export function serializeToolCall(
  { spanId, name, status, latencyMs }: SpanHead,
  { input, output }: SpanBody,
): string {
  const head = JSON.stringify({ span_id: spanId, name, status, latency_ms: latencyMs })
  return `${head.slice(0, -1)},"input":${onOneLine(input)},"output":${onOneLine(output)}}`
}

/** Line breaks in JSON occur only between tokens. */
function onOneLine(json: JsonText): string {
  return json.replaceAll(/[\r\n]/g, ' ')
}

function toApiSpanHead(span: SpanHead): ListedSpan {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    status: span.status,
    status_message: span.statusMessage,
    model: span.model,
    tokens_in: span.tokensIn,
    tokens_out: span.tokensOut,
    tokens_cache_read: span.tokensCacheRead,
    tokens_cache_write: span.tokensCacheWrite,
    tokens_reasoning: span.tokensReasoning,
    tokens_cache_write_1h: span.tokensCacheWrite1h,
    provider: span.provider,
    service_tier: span.serviceTier,
    cost_usd: span.costUsd,
    cost_source: span.costSource,
    computed_cost_usd: span.computedCostUsd,
    price_source: span.priceSource,
    price_date: span.priceDate,
    unpriced_reason: span.unpricedReason,
    latency_ms: span.latencyMs,
    started_at: formatInstant(span.startedAt),
    ended_at: formatInstant(span.endedAt),
    session_id: span.sessionId,
    user_id: span.userId,
    service: span.service,
    sdk: span.sdk,
    response_id: span.responseId,
    repeats_span_id: span.repeatsSpanId,
    is_separate_call: span.isSeparateCall,
  }
}
