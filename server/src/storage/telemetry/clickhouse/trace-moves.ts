import type { Instant } from '../../../domain/instant.ts'
import type { Removal } from '../port/removal.ts'
import type { Connection } from './connection.ts'
import { splitForParameter } from './parameter-lists.ts'
import type { SpanRecording } from './span-recording.ts'
import {
  copiedSpans,
  copyRows,
  deleteRows,
  movedTables,
  rowsOfTrace,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import { oneTrace } from './statements/traces.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects: copies all rows, and deletes those that were copied. What arrives meanwhile stays where it
 * was sent to. The row of the trace is the last one to be deleted, so that an interrupted move finds it when it is repeated.
 */

interface MovePorts {
  readonly connection: Connection
  readonly recording: Pick<SpanRecording, 'recomputeMoved'>
  readonly repair: TraceRepair['repair']
}

type MoveTrace = (
  projectId: string,
  fromProjectId: string,
  traceId: string,
  at: Instant,
) => ReturnType<Removal['moveTrace']>

export function openTraceMoves({ connection, recording, repair }: MovePorts): MoveTrace {
  const exists = async (projectId: string, traceId: string) =>
    (await connection.rows(oneTrace, { project: projectId, trace: traceId })).length > 0
  /** Whether the trace has been copied at least in part, or nothing is left of it but its row. */
  const isInterrupted = async (to: string, from: string, trace: string) => {
    const [row] = await connection.rows(copiedSpans, { to, from, trace })
    return Number(row?.[0]) === 0 || Number(row?.[1]) > 0
  }
  const deleteCopied = async (to: string, from: string, trace: string) => {
    for (const table of movedTables) {
      const rows = await connection.rows(rowsOfTrace(table), { project: to, trace })
      const copied = rows.map((row) => ({ key: String(row[0]), version: String(row[1]) }))
      // A version has 39 digits.
      for (const some of splitForParameter(copied, ({ key }) => key.padEnd(39))) {
        const keys = some.map(({ key }) => key)
        const versions = some.map(({ version }) => version)
        await connection.execute(deleteRows(table), { project: from, trace, keys, versions })
      }
    }
    for (const table of ['trace_feed', 'traces'] as const) {
      await connection.execute(deleteOfTraces(table), { project: from, ids: [trace] })
    }
  }
  return async (projectId, fromProjectId, traceId, at) => {
    if (!(await exists(fromProjectId, traceId))) {
      return (await exists(projectId, traceId)) ? 'exists' : 'not_found'
    }
    if (
      (await exists(projectId, traceId)) &&
      !(await isInterrupted(projectId, fromProjectId, traceId))
    ) {
      return 'exists'
    }
    const parameters = { from: fromProjectId, to: projectId, trace: traceId }
    for (const statement of copyRows) await connection.execute(statement, parameters)
    await recording.recomputeMoved([projectId, traceId], [fromProjectId, traceId], at)
    await deleteCopied(projectId, fromProjectId, traceId)
    // Spans that have arrived meanwhile are a trace of their own.
    await repair([[fromProjectId, traceId]])
    return 'adopted'
  }
}
