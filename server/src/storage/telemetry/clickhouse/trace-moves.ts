import type { Instant } from '../../../domain/instant.ts'
import type { Removal } from '../port/removal.ts'
import type { Connection } from './connection.ts'
import { splitForParameter } from './parameter-lists.ts'
import type { SpanRecording } from './span-recording.ts'
import {
  copiedTables,
  copyOf,
  deleteRows,
  movedTables,
  recordedSpans,
  rowsOfTrace,
  rowsToCopy,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import { oneTrace } from './statements/traces.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects, of one database or of two: copies all rows, and deletes those that were copied. What
 * arrives meanwhile stays where it was sent to. The row of the trace is the last one to be deleted, so that an interrupted
 * move finds it when it is repeated.
 */

/** A database that a trace moves into, or from. */
export interface MovePorts {
  readonly connection: Connection
  readonly recording: Pick<SpanRecording, 'findArrival' | 'recomputeMoved'>
  readonly repair: TraceRepair['repair']
}

/** A project in its database. */
interface Place extends MovePorts {
  readonly projectId: string
}

/** Moves a trace into a project. */
export async function moveTrace(
  to: Place,
  from: Place,
  traceId: string,
  at: Instant,
): ReturnType<Removal['moveTrace']> {
  // The source first: of a move that another process completes meanwhile, the trace is found in one of both.
  const [isInSource, isInTarget] = [await exists(from, traceId), await exists(to, traceId)]
  if (!isInSource) return isInTarget ? 'exists' : 'not_found'
  if (isInTarget && !(await isInterrupted(to, from, traceId))) return 'exists'
  await copyRows(to, from, traceId)
  const keyOf = ({ projectId }: Place) => [projectId, traceId] as const
  const arrival =
    (await to.recording.findArrival(keyOf(to))) ?? (await from.recording.findArrival(keyOf(from)))
  await to.recording.recomputeMoved(keyOf(to), arrival, at)
  await deleteCopied(to, from, traceId)
  // Spans that have arrived meanwhile are a trace of their own.
  await from.repair([keyOf(from)])
  return 'adopted'
}

async function exists({ connection, projectId }: Place, traceId: string): Promise<boolean> {
  return (await connection.rows(oneTrace, { project: projectId, trace: traceId })).length > 0
}

/** Whether the trace has been copied at least in part, or nothing is left of it but its row. */
async function isInterrupted(to: Place, from: Place, traceId: string): Promise<boolean> {
  const spansIn = async ({ connection, projectId }: Place) => {
    const rows = await connection.rows(recordedSpans, { project: projectId, trace: traceId })
    return new Set(rows.map(([spanId, version]) => `${version} ${spanId}`))
  }
  const left = await spansIn(from)
  return left.size === 0 || !left.isDisjointFrom(await spansIn(to))
}

async function copyRows(to: Place, from: Place, traceId: string): Promise<void> {
  const parameters = { from: from.projectId, to: to.projectId, trace: traceId }
  for (const table of copiedTables) {
    if (to.connection === from.connection) {
      await to.connection.execute(`INSERT INTO ${copyOf(table)} ${rowsToCopy(table)}`, parameters)
    } else {
      const rows = from.connection.stream(rowsToCopy(table), parameters)
      await insertStream(to.connection, copyOf(table), rows)
    }
  }
}

/** Rows of one INSERT when they are copied to another server. */
const copiedBytesAtOnce = 8_000_000

async function insertStream(
  target: Connection,
  into: string,
  rows: ReturnType<Connection['stream']>,
): Promise<void> {
  let lines: Uint8Array[] = []
  let bytes = 0
  for await (const some of rows) {
    for (const row of some) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      lines.push(line)
      bytes += line.length
    }
    if (bytes < copiedBytesAtOnce) continue
    await target.insert(into, lines)
    ;[lines, bytes] = [[], 0]
  }
  await target.insert(into, lines)
}

async function deleteCopied(to: Place, from: Place, traceId: string): Promise<void> {
  for (const table of movedTables) {
    const ofTarget = { project: to.projectId, trace: traceId }
    const rows = await to.connection.rows(rowsOfTrace(table), ofTarget)
    const copied = rows.map((row) => ({ key: String(row[0]), version: String(row[1]) }))
    // A version has 39 digits.
    for (const some of splitForParameter(copied, ({ key }) => key.padEnd(39))) {
      const keys = some.map(({ key }) => key)
      const versions = some.map(({ version }) => version)
      const ofSource = { project: from.projectId, trace: traceId, keys, versions }
      await from.connection.execute(deleteRows(table), ofSource)
    }
  }
  for (const table of ['trace_feed', 'traces'] as const) {
    const parameters = { project: from.projectId, ids: [traceId] }
    await from.connection.execute(deleteOfTraces(table), parameters)
  }
}
