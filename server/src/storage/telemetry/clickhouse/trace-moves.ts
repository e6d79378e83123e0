import type { Instant } from '../../../domain/instant.ts'
import type { MoveOutcome } from '../port/removal.ts'
import type { Row } from './columns.ts'
import type { Connection, Parameters } from './connection.ts'
import { lastPricedVersion } from './hybrid-clock.ts'
import { splitBySize, splitForParameter, type TraceKey, toKey } from './parameter-lists.ts'
import { readPages } from './read-pages.ts'
import type { Arrival, SpanRecording } from './span-recording.ts'
import {
  copiedTables,
  copyListed,
  copyOf,
  deletedTables,
  deleteListed,
  keyColumns,
  type MovedTable,
  pagesOf,
  recordedSpans,
  tablesOfAdditions,
  tablesOfRecords,
  tablesOfSpans,
  tracesOfAdditions,
  versionDigits,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import { traceIdsWithSpans } from './statements/traces.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects, of one database or of two, many with the same statements: first their log records, some
 * at a time, then all other rows are copied, and those that were copied are deleted. Spans that arrive meanwhile stay where
 * they were sent to. The rows of the traces are deleted after all that was copied, so that an interrupted move finds them
 * when it is repeated. As long as a trace has its row, scores and changes of tags are acknowledged: what of them was not
 * copied is moved after that.
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
  const first = await findGroup(to, from, listed)
  // That may take long, and the target may receive one of the traces meanwhile.
  const hadRecords = await moveRecords(to, from, first.movable)
  const group = hadRecords ? await findGroup(to, from, first.ids) : first
  const { ids, sources, targets } = group
  const movable = group.movable.filter((id) => first.movable.includes(id))
  const recompute = async (some: readonly string[]) => {
    await to.recording.recomputeMoved(keysOf(to, some), new Map([...sources, ...targets]), at)
  }
  if (movable.length > 0) {
    await copyRows(to, from, movable, copiedTables)
    await recompute(movable)
    await deleteCopied(to, from, movable, deletedTables)
    await deleteTraces(from, movable)
    // Re-priced between the two, they would be a trace again. Later ones have no row to be found by.
    await deleteCopied(to, from, await findWithSpans(from, movable), tablesOfSpans)
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

/** Traces that are moved together. */
interface Group {
  readonly ids: readonly string[]
  /** Those of them that are in the source, and in the target. */
  readonly sources: ReadonlyMap<string, Arrival>
  readonly targets: ReadonlyMap<string, Arrival>
  readonly movable: readonly string[]
}

async function findGroup(to: Place, from: Place, listed: readonly string[]): Promise<Group> {
  // The source first: of a move that another process completes meanwhile, the trace is found in one of both.
  const sources = await findArrivals(from, listed)
  const targets = await findArrivals(to, listed)
  const spansOf = (id: string) =>
    (sources.get(id)?.spanCount ?? 0) + (targets.get(id)?.spanCount ?? 0)
  const [ids = []] = splitBySize(listed, spansOf, spansAtOnce)
  const inBoth = ids.filter((id) => sources.has(id) && targets.has(id))
  const interrupted = await findInterrupted(to, from, inBoth)
  const movable = ids.filter((id) => sources.has(id) && (!targets.has(id) || interrupted.has(id)))
  return { ids, sources, targets, movable }
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

/** Those of some traces that have spans. */
async function findWithSpans(
  { connection, projectId }: Place,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await connection.rows(traceIdsWithSpans, { project: projectId, ids })
  return rows.map(([id]) => String(id))
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

/** Rows that one INSERT or DELETE has, and what they are found by. */
interface Batch {
  readonly lists: readonly (readonly MovedRow[])[]
}

interface MovedRow {
  readonly identity: string
  readonly version: string
  /** In the order of the table. */
  readonly position: string
  /** For an INSERT into another server. */
  readonly line: Uint8Array
}

/** Copies rows, some thousand at a time, so that no statement takes long, and calls `onCopied` after each time. */
async function copyRows(
  to: Place,
  from: Place,
  ids: readonly string[],
  tables: readonly MovedTable[],
  onCopied?: (table: MovedTable, batch: Batch) => Promise<void>,
): Promise<void> {
  const isSameServer = to.connection === from.connection
  for (const table of tables) {
    const names = isSameServer ? '' : `${table.names}, `
    for await (const batch of readBatches(from, ids, table, names, to.projectId)) {
      const { lists } = batch
      if (isSameServer) {
        await to.connection.execute(copyListed(table, lists.length), {
          ...{ project: from.projectId, to: to.projectId, ids },
          ...keysOfBatch(batch),
        })
      } else {
        await to.connection.insert(
          copyOf(table),
          lists.flatMap((rows) => rows.map(({ line }) => line)),
        )
      }
      await onCopied?.(table, batch)
    }
  }
}

/**
 * Moves log records and what came from them, and returns whether there were any. Each time, exactly those are deleted that
 * were copied before, so that an interrupted move continues with the others. Records that arrive meanwhile stay in the
 * project that they were sent to, unless their position is still to come.
 */
async function moveRecords(to: Place, from: Place, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false
  let isAny = false
  await copyRows(to, from, ids, tablesOfRecords, async (table, batch) => {
    isAny = true
    await deleteBatch(from, ids, table, batch)
  })
  return isAny
}

/** Deletes rows in the versions in which the target has them. */
async function deleteCopied(
  to: Place,
  from: Place,
  ids: readonly string[],
  tables: readonly MovedTable[],
): Promise<void> {
  if (ids.length === 0) return
  for (const table of tables) {
    for await (const batch of readBatches(to, ids, table)) {
      await deleteBatch(from, ids, table, batch)
    }
  }
}

async function deleteBatch(
  { connection, projectId }: Place,
  ids: readonly string[],
  table: MovedTable,
  batch: Batch,
): Promise<void> {
  const versions = batch.lists.map((rows, list) => [
    `versions${list}`,
    rows.map(({ version }) => (table.isRepriced ? toLastPriced(version) : version)),
  ])
  await connection.execute(deleteListed(table, batch.lists.length), {
    ...{ project: projectId, ids, ...keysOfBatch(batch) },
    ...(table.version !== undefined && (Object.fromEntries(versions) as Parameters)),
  })
}

/** A span that was re-priced since it was copied is deleted, too. */
function toLastPriced(version: string): string {
  return String(lastPricedVersion(BigInt(version))).padStart(versionDigits, '0')
}

function keysOfBatch({ lists }: Batch): Parameters {
  const keys = lists.map((rows, list) => [`keys${list}`, rows.map(({ identity }) => identity)])
  const [first, last] = [lists[0]?.[0], lists.at(-1)?.at(-1)]
  return {
    ...{ first: first?.position ?? '', last: last?.position ?? '' },
    ...(Object.fromEntries(keys) as Parameters),
  }
}

/** Of one batch, when they are copied to another server. */
const copiedBytesAtOnce = 8_000_000
/** Of one statement, whose parameters are in its address: together they stay below a megabyte. */
const listsAtOnce = 4

/** The rows of some traces, with the columns that an INSERT into the project `to` needs. */
async function* readBatches(
  { connection, projectId }: Place,
  ids: readonly string[],
  table: MovedTable,
  names = '',
  to = '',
): AsyncGenerator<Batch, void> {
  const columns = `${names}${keyColumns(table)}`
  const pages = readPages(connection, ...pagesOf(table, columns), { project: projectId, ids })
  let rows: MovedRow[] = []
  let bytes = 0
  for await (const page of pages) {
    for (const row of page) {
      const moved = toMovedRow(row, to)
      rows.push(moved)
      bytes += moved.line.length
      if (rows.length < table.rowsAtOnce && bytes < copiedBytesAtOnce) continue
      yield* toBatches(table, rows)
      ;[rows, bytes] = [[], 0]
    }
  }
  yield* toBatches(table, rows)
}

function toMovedRow(row: Row, projectId: string): MovedRow {
  const [identity = '', version = '', position = ''] = row.slice(-3).map(String)
  const line = Buffer.from(`${JSON.stringify([projectId, ...row.slice(0, -3)])}\n`)
  return { identity, version: version.padStart(versionDigits, '0'), position, line }
}

function* toBatches({ version }: MovedTable, rows: readonly MovedRow[]): Generator<Batch, void> {
  // Identities and versions are a list each, of which the longer one counts.
  const least = version === undefined ? 0 : versionDigits
  const lists = [...splitForParameter(rows, ({ identity }) => identity.padEnd(least))]
  for (const some of splitBySize(lists, () => 1, listsAtOnce)) yield { lists: some }
}

async function deleteTraces(
  { connection, projectId }: Place,
  ids: readonly string[],
): Promise<void> {
  for (const table of ['trace_feed', 'traces'] as const) {
    await connection.execute(deleteOfTraces(table), { project: projectId, ids })
  }
}
