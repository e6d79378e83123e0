import { limits } from '@assay/contract/limits.ts'
import type { TraceFilters } from '@assay/contract/traces.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { ReadOptions } from '../../storage/telemetry/port/read-options.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'

/** Each page examines at most `limits.tracesScanned` traces. */
const pagesMax = 10

/** The ids of the newest traces that match, at most `limit`. */
export async function listReviewedTraces(
  { listTraces }: Pick<TelemetryStore, 'listTraces'>,
  projectId: string,
  requested: TraceFilters,
  limit: number,
  options: ReadOptions,
): Promise<readonly string[]> {
  const filters = toTraceFilters(requested)
  const scanLimit = limits.tracesScanned.value
  const traceIds: string[] = []
  let after: Position | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { filters, scanLimit, limit: limit - traceIds.length, ...(after && { after }) }
    const { traces, next } = await listTraces(projectId, query, options)
    traceIds.push(...traces.map(({ traceId }) => traceId))
    if (next === undefined || traceIds.length >= limit) break
    after = next
  }
  return traceIds
}
