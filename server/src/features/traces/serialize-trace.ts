import type { Trace as ApiTrace, ListedSpan } from '@assay/contract/traces.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { JsonText } from '../../domain/json-text.ts'
import type { Trace } from '../../domain/span.ts'
import type { StoredSpan } from '../../storage/telemetry/port/traces.ts'

/*
 * Serializes traces and spans for the API. Bodies are stored as JSON text and passed through unparsed.
 */

export function toApiTrace(trace: Trace): ApiTrace {
  return {
    trace_id: trace.traceId,
    project_id: trace.projectId,
    root_name: trace.rootName,
    status: trace.status,
    mode: trace.mode,
    environment: trace.environment,
    tags: [...trace.tags],
    source: trace.source,
    session_id: trace.sessionId,
    user_id: trace.userId,
    service: trace.service,
    sdk: trace.sdk,
    started_at: formatInstant(trace.startedAt),
    ended_at: formatInstant(trace.endedAt),
    duration_ms: trace.durationMs,
    span_count: trace.spanCount,
    error_count: trace.errorCount,
    llm_call_count: trace.llmCallCount,
    tool_call_count: trace.toolCallCount,
    tokens_in: trace.tokensIn,
    tokens_out: trace.tokensOut,
    cost_usd: trace.costUsd,
    models: [...trace.models],
    updated_at: formatInstant(trace.updatedAt),
  }
}

/** The trace with a page of its spans, as JSON text. */
export function serializeTrace(trace: Trace, spans: readonly StoredSpan[]): JsonText {
  const head = JSON.stringify(toApiTrace(trace)).slice(0, -1)
  return `${head},"spans":[${spans.map(serializeSpan).join(',')}]}` as JsonText
}

export function serializeSpan(span: StoredSpan): JsonText {
  const head = JSON.stringify(toApiSpanHead(span))
  if (span.body === undefined) return head as JsonText
  const { input, output, attributes, events, links, resource, scope } = span.body
  return `${head.slice(0, -1)},"input":${input},"output":${output},"attributes":${attributes},"events":${events},"links":${links},"resource":${resource},"scope":${scope}}` as JsonText
}

function toApiSpanHead(span: StoredSpan): ListedSpan {
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
  }
}
