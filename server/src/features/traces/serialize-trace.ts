import type { Trace as ApiTrace } from '@assay/contract/traces.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Trace } from '../../domain/span.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

export function toApiTrace(trace: Trace): ApiTrace {
  return {
    trace_id: trace.traceId,
    project_id: trace.projectId,
    root_name: trace.rootName,
    status: trace.status,
    unfinished: trace.unfinished,
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
    model_call_count: trace.modelCallCount,
    unpriced_call_count: trace.unpricedCallCount,
    models: [...trace.models],
    updated_at: formatInstant(trace.updatedAt),
  }
}

/** With the number of their scores, in one more read. */
export async function withScoreCounts(
  { countScores }: Pick<TelemetryStore, 'countScores'>,
  projectId: string,
  traces: readonly Trace[],
  options: ReadOptions,
): Promise<ApiTrace[]> {
  if (traces.length === 0) return []
  const traceIds = traces.map(({ traceId }) => traceId)
  const counts = await countScores(projectId, traceIds, options)
  const byTrace = new Map(counts.map(({ traceId, ...count }) => [traceId, count]))
  return traces.map((trace) => ({
    ...toApiTrace(trace),
    scores: byTrace.get(trace.traceId) ?? { scored: 0, passed: 0 },
  }))
}
