import type { Connection } from './connection.ts'
import {
  anyOfTraces,
  deleteOfTraces,
  restoreKeys,
  tablesOfRemains,
} from './statements/trace-removal.ts'
import { existingTraceIds } from './statements/traces.ts'

/*
 * What is left of traces whose row has been deleted.
 */

/** Removes what is left of those of some traces that are not stored. */
export async function removeRemains(
  connection: Connection,
  projectId: string,
  traceIds: readonly string[],
): Promise<void> {
  const rows = await connection.rows(existingTraceIds, { project: projectId, ids: traceIds })
  const stored = new Set(rows.map(([id]) => String(id)))
  const ids = traceIds.filter((id) => !stored.has(id))
  if (ids.length === 0) return
  const parameters = { project: projectId, ids }
  for (const table of tablesOfRemains) {
    if ((await connection.rows(anyOfTraces(table), parameters)).length === 0) continue
    await connection.execute(deleteOfTraces(table), parameters)
    // Of a trace that was recorded meanwhile, the key may have been deleted, too.
    if (table === 'trace_feed') await connection.execute(restoreKeys, parameters)
  }
}
