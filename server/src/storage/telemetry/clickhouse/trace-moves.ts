import type { Instant } from '../../../domain/instant.ts'
import type { MoveOutcome } from '../port/removal.ts'
import type { Connection } from './connection.ts'
import { splitBySize, splitForParameter, type TraceKey, toKey } from './parameter-lists.ts'
import type { Arrival, SpanRecording } from './span-recording.ts'
import {
  copiedTables,
  copyOf,
  deleteRows,
  movedTables,
  recordedSpans,
  rowsOfTraces,
  rowsToCopy,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects, of one database or of two, many with the same statements: copies all rows, and deletes
 * those that were copied. What arrives meanwhile stays where it was sent to. The rows of the traces are the last ones to be
 * deleted, so that an interrupted move finds them when it is repeated.
 */

/** A database that traces move into, or from. */
export interface MovePorts {
  readonly connection: Connection
  readonly recording: Pick<SpanRecording, 'findArrivals' | 'recomputeMoved'>
  readonly repair: TraceRepair['repair']
}

/** A project in its database. */
interface Place extends MovePorts {
  readonly projectId: string
}

/** Of traces that are moved together, in both projects, so that others wait for few seconds; a larger trace is moved alone. */
const spansAtOnce = 20_000

/**
 * Moves the first of some traces into a project, as many as one group may have, and returns an outcome for each of them.
 * To be repeated with the others.
 */
export async function moveFirstTraces(
  to: Place,
  from: Place,
  traceIds: readonly string[],
  at: Instant,
): Promise<readonly MoveOutcome[]> {
  const [listed = []] = splitForParameter(traceIds, (id) => id)
  // The source first: of a move that another process completes meanwhile, the trace is found in one of both.
  const sources = await findArrivals(from, listed)
  const targets = await findArrivals(to, listed)
  const spansOf = (id: string) =>
    (sources.get(id)?.spanCount ?? 0) + (targets.get(id)?.spanCount ?? 0)
  const [ids = []] = splitBySize(listed, spansOf, spansAtOnce)
  const inBoth = ids.filter((id) => sources.has(id) && targets.has(id))
  const interrupted = await findInterrupted(to, from, inBoth)
  const movable = ids.filter((id) => sources.has(id) && (!targets.has(id) || interrupted.has(id)))
  if (movable.length > 0) {
    await copyRows(to, from, movable)
    const keysOf = ({ projectId }: Place) => movable.map((id): TraceKey => [projectId, id])
    await to.recording.recomputeMoved(keysOf(to), new Map([...sources, ...targets]), at)
    await deleteCopied(to, from, movable)
    // Spans that have arrived meanwhile are traces of their own.
    await from.repair(keysOf(from))
  }
  const moved = new Set(movable)
  const outcomeOf = (id: string) => (targets.has(id) ? 'exists' : 'not_found')
  return ids.map((id) => (moved.has(id) ? 'adopted' : outcomeOf(id)))
}

/** Those of some traces that exist, by id. */
async function findArrivals(
  { recording, projectId }: Place,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Arrival>> {
  const known = await recording.findArrivals(ids.map((id): TraceKey => [projectId, id]))
  const found = ids.map((id) => [id, known.get(toKey([projectId, id]))] as const)
  return new Map(found.flatMap(([id, arrival]) => (arrival === undefined ? [] : [[id, arrival]])))
}

/** Those of some traces that have been copied at least in part, or of which nothing is left but their row. */
async function findInterrupted(
  to: Place,
  from: Place,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const spansIn = async ({ connection, projectId }: Place) => {
    const spans = new Map(ids.map((id) => [id, new Set<string>()]))
    for (const row of await connection.rows(recordedSpans, { project: projectId, ids })) {
      const [traceId, spanId, version] = row.map(String)
      spans.get(traceId ?? '')?.add(`${version} ${spanId}`)
    }
    return spans
  }
  const left = await spansIn(from)
  const copied = await spansIn(to)
  const isInterrupted = (id: string) => {
    const spans = left.get(id) ?? new Set()
    return spans.size === 0 || !spans.isDisjointFrom(copied.get(id) ?? new Set())
  }
  return new Set(ids.filter(isInterrupted))
}

async function copyRows(to: Place, from: Place, ids: readonly string[]): Promise<void> {
  const parameters = { from: from.projectId, to: to.projectId, ids }
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

async function deleteCopied(to: Place, from: Place, ids: readonly string[]): Promise<void> {
  for (const table of movedTables) {
    const rows = await to.connection.rows(rowsOfTraces(table), { project: to.projectId, ids })
    const copied = rows.map((row) => {
      const [traceId = '', key = '', version = ''] = row.map(String)
      return { traceId, key, version }
    })
    // A version has 39 digits, and a key is longer than the id of its trace, which it contains.
    for (const some of splitForParameter(copied, ({ key }) => key.padEnd(39))) {
      await from.connection.execute(deleteRows(table), {
        project: from.projectId,
        ids: [...new Set(some.map(({ traceId }) => traceId))],
        keys: some.map(({ key }) => key),
        versions: some.map(({ version }) => version),
      })
    }
  }
  for (const table of ['trace_feed', 'traces'] as const) {
    await from.connection.execute(deleteOfTraces(table), { project: from.projectId, ids })
  }
}
