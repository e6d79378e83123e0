import type { Connection } from './connection.ts'
import {
  anyOfTraces,
  deleteOfTraces,
  restoreKeys,
  tablesOfRemains,
} from './statements/trace-removal.ts'
import { existingTraceIds, traceIdsWithSpans } from './statements/traces.ts'

/*
 * What is left of traces whose row has been deleted.
 */

/** Removes what is left of those of some traces that are gone, and returns their ids. */
export async function removeRemains(
  connection: Connection,
  projectId: string,
  traceIds: readonly string[],
): Promise<readonly string[]> {
  const ids = await findGone(connection, projectId, traceIds)
  if (ids.length === 0) return []
  const parameters = { project: projectId, ids }
  for (const table of tablesOfRemains) {
    if ((await connection.rows(anyOfTraces(table), parameters)).length === 0) continue
    await connection.execute(deleteOfTraces(table), parameters)
    // Of a trace that was recorded meanwhile, the key may have been deleted, too.
    if (table === 'trace_feed') await connection.execute(restoreKeys, parameters)
  }
  return ids
}

/** Those of some traces that have neither a row nor spans, from which a row that is missing is computed. */
async function findGone(
  connection: Connection,
  project: string,
  traceIds: readonly string[],
): Promise<readonly string[]> {
  let ids = traceIds
  for (const statement of [existingTraceIds, traceIdsWithSpans]) {
    if (ids.length === 0) break
    const rows = await connection.rows(statement, { project, ids })
    const found = new Set(rows.map(([id]) => String(id)))
    ids = ids.filter((id) => !found.has(id))
  }
  return ids
}
