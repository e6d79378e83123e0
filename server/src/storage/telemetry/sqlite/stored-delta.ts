import { millisBetween } from '../../../domain/instant.ts'
import { type RollupDelta, toRollupHead, withModels } from '../aggregates/trace-rollup.ts'
import type { StoredTrace } from './trace-columns.ts'

/** What the trace has added to the rollups. */
export function toStoredDelta(trace: StoredTrace): RollupDelta {
  const { modelRollup, startedAt, endedAt } = trace
  const totals = {
    ...trace,
    durationMs: millisBetween(startedAt, endedAt),
    modelCallCount: modelRollup.calls,
    unpricedCallCount: modelRollup.unpriced,
  }
  const models = modelRollup.models.map(
    ([model, each]) => [model, { ...each, latencies: new Map(each.latencies) }] as const,
  )
  return withModels(toRollupHead(totals), models)
}
