import type { DatabaseSync } from 'node:sqlite'
import { iterateRows, prepareRows } from './database.ts'
import { prepareRollups } from './rollups.ts'
import { prepareCounts } from './row-counts.ts'
import { listSimulations } from './statements/traces.ts'
import { toStoredDelta } from './stored-delta.ts'
import { traceColumns } from './trace-columns.ts'

/*
 * Earlier versions counted simulations in the rollups of live traces, and did not count simulations of a project.
 */

type TraceRow = Parameters<typeof traceColumns.fromRow>[0]

/** Moves what simulations add to the rollups. Within the open transaction. */
export function separateSimulations(db: DatabaseSync): void {
  const counts = prepareCounts(db)
  const rollups = prepareRollups(db, counts)
  const simulations = iterateRows<TraceRow>(prepareRows(db, listSimulations), {})
  for (const row of simulations) {
    const trace = traceColumns.fromRow(row)
    const delta = toStoredDelta(trace)
    rollups.add(trace.projectNo, { ...delta, mode: 'live' }, -1)
    rollups.add(trace.projectNo, delta, 1)
  }
  rollups.write()
  counts.write()
}
