import type { TraceLabels } from './span.ts'

/**
 * The labels of a trace after another batch: name and tags are those of the new batch, even when absent;
 * other absent labels keep their value.
 */
export function mergeLabels(earlier: TraceLabels | null, newest: TraceLabels): TraceLabels {
  return {
    rootName: newest.rootName,
    tags: newest.tags,
    environment: newest.environment ?? earlier?.environment ?? null,
    mode: newest.mode ?? earlier?.mode ?? null,
    sessionId: newest.sessionId ?? earlier?.sessionId ?? null,
    userId: newest.userId ?? earlier?.userId ?? null,
  }
}
