import type { Instant } from '../../../domain/instant.ts'
import type { TagChanges } from '../../../domain/span.ts'
import { toDay } from '../moved-rows.ts'
import type { Connection } from './connection.ts'
import type { NextVersion } from './hybrid-clock.ts'
import type { SpanRecording } from './span-recording.ts'
import { deleteLabels, existingTraceIds } from './statements/traces.ts'
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
  const findExisting = async (project: string, ids: readonly string[]) => {
    const rows = await connection.rows(existingTraceIds, { project, ids })
    const found = new Set(rows.map(([id]) => String(id)))
    return ids.filter((id) => found.has(id))
  }
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
      const existing = await findExisting(projectId, some)
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
      // Of one that is removed or moved meanwhile, nobody may have seen these labels.
      const kept = new Set(await findExisting(projectId, existing))
      const gone = existing.filter((id) => !kept.has(id))
      if (gone.length > 0) {
        await connection.execute(deleteLabels, { project: projectId, ids: gone, version })
      }
      changed.push(...kept)
    }
    return changed
  }
}
