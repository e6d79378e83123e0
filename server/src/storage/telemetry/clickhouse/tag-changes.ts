import type { Instant } from '../../../domain/instant.ts'
import type { TagChanges } from '../../../domain/span.ts'
import { toDay } from '../moved-rows.ts'
import type { Connection } from './connection.ts'
import type { NextVersion } from './hybrid-clock.ts'
import type { SpanRecording } from './span-recording.ts'
import { existingTraceIds } from './statements/traces.ts'
import { labelColumns, toTagValues } from './trace-labels.ts'

/*
 * Tags that people change: labels of their own, beside those of the batches of a trace.
 */

const tracesAtOnce = 200

/** Changes the tags of the traces; returns the ids of those that exist. */
export function openTagChanges(
  connection: Connection,
  nextVersion: NextVersion,
  recording: Pick<SpanRecording, 'recompute'>,
) {
  return async (
    projectId: string,
    traceIds: readonly string[],
    changes: TagChanges,
    at: Instant,
  ): Promise<readonly string[]> => {
    const ids = [...new Set(traceIds)]
    const changed: string[] = []
    for (let start = 0; start < ids.length; start += tracesAtOnce) {
      const some = ids.slice(start, start + tracesAtOnce)
      const rows = await connection.rows(existingTraceIds, { project: projectId, ids: some })
      const found = new Set(rows.map(([id]) => String(id)))
      const existing = some.filter((id) => found.has(id))
      const version = String(nextVersion(at))
      const labels = existing.flatMap((traceId) =>
        toTagValues(changes).map(([label, value]) =>
          labelColumns.toRow({ projectId, traceId, label, value, version, arrivedOn: toDay(at) }),
        ),
      )
      await connection.insertRows(`trace_labels (${labelColumns.names})`, labels)
      await recording.recompute(
        existing.map((traceId) => [projectId, traceId]),
        at,
      )
      changed.push(...existing)
    }
    return changed
  }
}
