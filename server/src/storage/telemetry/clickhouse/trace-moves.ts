import type { Instant } from '../../../domain/instant.ts'
import type { MoveOutcome } from '../port/removal.ts'
import type { Connection } from './connection.ts'
import { splitBySize, splitForParameter, type TraceKey, toKey } from './parameter-lists.ts'
import { readPages } from './read-pages.ts'
import type { Arrival, SpanRecording } from './span-recording.ts'
import {
  copiedTables,
  copyOf,
  deletedTables,
  deleteRows,
  type MovedTable,
  pagesToCopy,
  recordedSpans,
  rowsOfTraces,
  rowsToCopy,
  tablesOfAdditions,
  tracesOfAdditions,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects, of one database or of two, many with the same statements: copies all rows, and deletes
 * those that were copied. Spans that arrive meanwhile stay where they were sent to. The rows of the traces are deleted after
 * all that was copied, so that an interrupted move finds them when it is repeated. As long as a trace has its row, scores
 * and changes of tags are acknowledged: what of them was not copied is moved after that.
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
  const recompute = async (some: readonly string[]) => {
    await to.recording.recomputeMoved(keysOf(to, some), new Map([...sources, ...targets]), at)
  }
  if (movable.length > 0) {
    await copyRows(to, from, movable, copiedTables)
    await recompute(movable)
    await deleteCopied(to, from, movable, deletedTables)
    await deleteTraces(from, movable)
  }
  // Of those that are in the target only, a move may have been interrupted here.
  const withoutRow = ids.filter((id) => !sources.has(id) && targets.has(id))
  const added = await findAdditions(from, [...movable, ...withoutRow])
  if (added.length > 0) {
    await copyRows(to, from, added, tablesOfAdditions)
    await recompute(added)
    await deleteCopied(to, from, added, tablesOfAdditions)
  }
  // Spans that have arrived meanwhile are traces of their own.
  await from.repair(keysOf(from, movable))
  const moved = new Set([...movable, ...added])
  const outcomeOf = (id: string) => (targets.has(id) ? 'exists' : 'not_found')
  return ids.map((id) => (moved.has(id) ? 'adopted' : outcomeOf(id)))
}

function keysOf({ projectId }: Place, ids: readonly string[]): readonly TraceKey[] {
  return ids.map((id) => [projectId, id])
}

/** Those of some traces that exist, by id. */
async function findArrivals(
  place: Place,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Arrival>> {
  const { recording, projectId } = place
  const known = await recording.findArrivals(keysOf(place, ids))
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

/** Those of some traces that were scored or tagged while they were moved. */
async function findAdditions(
  { connection, projectId }: Place,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await connection.rows(tracesOfAdditions, { project: projectId, ids })
  return rows.map(([id]) => String(id))
}

async function copyRows(
  to: Place,
  from: Place,
  ids: readonly string[],
  tables: readonly MovedTable[],
): Promise<void> {
  const parameters = { project: from.projectId, to: to.projectId, ids }
  for (const table of tables) {
    if (to.connection === from.connection) {
      await to.connection.execute(`INSERT INTO ${copyOf(table)} ${rowsToCopy(table)}`, parameters)
    } else {
      const rows = readPages(from.connection, ...pagesToCopy(table), parameters)
      await insertPages(to, copyOf(table), rows)
    }
  }
}

/** Rows of one INSERT when they are copied to another server. */
const copiedBytesAtOnce = 8_000_000

async function insertPages(
  { connection, projectId }: Place,
  into: string,
  pages: ReturnType<typeof readPages>,
): Promise<void> {
  let lines: Uint8Array[] = []
  let bytes = 0
  for await (const rows of pages) {
    for (const row of rows) {
      const line = Buffer.from(`${JSON.stringify([projectId, ...row])}\n`)
      lines.push(line)
      bytes += line.length
    }
    if (bytes < copiedBytesAtOnce) continue
    await connection.insert(into, lines)
    ;[lines, bytes] = [[], 0]
  }
  await connection.insert(into, lines)
}

async function deleteCopied(
  to: Place,
  from: Place,
  ids: readonly string[],
  tables: readonly MovedTable[],
): Promise<void> {
  for (const table of tables) {
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
}

async function deleteTraces(
  { connection, projectId }: Place,
  ids: readonly string[],
): Promise<void> {
  for (const table of ['trace_feed', 'traces'] as const) {
    await connection.execute(deleteOfTraces(table), { project: projectId, ids })
  }
}
