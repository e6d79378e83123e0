import { judgeCallTag } from '@assay/contract/bulk-evaluations.ts'
import { limits } from '@assay/contract/limits.ts'
import type { TraceFilters } from '@assay/contract/traces.ts'
import type { Position } from '../../../storage/telemetry/port/position.ts'
import type { ReadOptions } from '../../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../../storage/telemetry/port/trace-filters.ts'
import { isJudgeCall } from '../judges/judge-span.ts'

/*
 * The traces that an evaluation of many traces evaluates, newest first.
 */

export interface EvaluatedPage {
  /** Fewer than `limit` if the page has traces that are left out. */
  readonly traceIds: readonly string[]
  readonly next: Position | undefined
}

/** Leaves out the calls of judges, unless the filters have their tag. */
export async function listEvaluatedTraces(
  { listTraces }: Pick<TelemetryStore, 'listTraces'>,
  projectId: string,
  query: { readonly filters: TraceFilters; readonly limit: number; readonly after?: Position },
  options: ReadOptions,
): Promise<EvaluatedPage> {
  const scanLimit = limits.tracesScanned.value
  const filters = toTraceFilters(query.filters)
  const { traces, next } = await listTraces(projectId, { ...query, filters, scanLimit }, options)
  const includesJudges = filters.tags?.includes(judgeCallTag) === true
  const chosen = includesJudges ? traces : traces.filter((trace) => !isJudgeCall(trace))
  return { traceIds: chosen.map(({ traceId }) => traceId), next }
}
