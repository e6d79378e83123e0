import type { ListedSpan } from '@assay/contract/traces.ts'

/** A span of a list, for tests that need only a few of its members. */
export function sampleSpan(
  spanId: string,
  parentId: string | null,
  changes: Partial<ListedSpan> = {},
): ListedSpan {
  return {
    span_id: spanId,
    parent_span_id: parentId,
    name: spanId,
    kind: 'function',
    status: 'OK',
    status_message: null,
    model: null,
    tokens_in: null,
    tokens_out: null,
    tokens_cache_read: null,
    tokens_cache_write: null,
    tokens_reasoning: null,
    tokens_cache_write_1h: null,
    provider: null,
    service_tier: null,
    cost_usd: null,
    cost_source: 'unknown',
    computed_cost_usd: null,
    price_source: null,
    price_date: null,
    unpriced_reason: null,
    latency_ms: 0,
    started_at: '2026-11-20T10:00:00Z',
    ended_at: '2026-11-20T10:00:00Z',
    session_id: null,
    user_id: null,
    service: null,
    sdk: null,
    response_id: null,
    repeats_span_id: null,
    is_separate_call: false,
    ...changes,
  }
}
