import { buildTraceView, type ReadSpan, type ViewedTrace } from './build-trace-view.ts'
import type { TraceView } from './trace-view.ts'

/*
 * Traces for tests: spans as the API returns them, with what a test sets.
 */

type Sample = Partial<ReadSpan> & Pick<ReadSpan, 'kind'>

const startOfSamples = Date.UTC(2026, 0, 1)

/** Spans start one second after the other and take half a second; all but the first are children of the first. */
export function sampleSpans(samples: readonly Sample[]): ReadSpan[] {
  return samples.map((sample, index) => ({
    span_id: `s${index}`,
    parent_span_id: index === 0 ? null : 's0',
    name: sample.kind,
    status: 'OK',
    ...{ status_message: null, model: null, provider: null, service_tier: null },
    ...{ tokens_in: null, tokens_out: null, tokens_cache_read: null, tokens_cache_write: null },
    ...{ tokens_reasoning: null, tokens_cache_write_1h: null },
    ...{ cost_usd: null, cost_source: 'unknown', computed_cost_usd: null, price_source: null },
    ...{ price_date: null, unpriced_reason: null, latency_ms: 500 },
    started_at: new Date(startOfSamples + 1000 * index).toISOString(),
    ended_at: new Date(startOfSamples + 1000 * index + 500).toISOString(),
    ...{ session_id: null, user_id: null, service: null, sdk: null },
    ...{ response_id: null, repeats_span_id: null, is_separate_call: false },
    ...{ input: null, output: null, attributes: {}, events: [] },
    ...sample,
  }))
}

export function sampleView(
  samples: readonly Sample[],
  trace: Partial<ViewedTrace> = {},
): TraceView {
  const whole = {
    ...{ trace_id: 't1', status: 'OK' as const, tags: [], duration_ms: 1000 * samples.length },
    ...{ tokens_in: 0, tokens_out: 0, cost_usd: null },
  }
  return buildTraceView({ ...whole, ...trace }, sampleSpans(samples))
}
