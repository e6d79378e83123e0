import type { Instant } from '../../../domain/instant.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { MoveOutcome } from '../port/removal.ts'
import type { Row } from './columns.ts'
import type { Connection, Parameters } from './connection.ts'
import { isSameRecording } from './hybrid-clock.ts'
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
  spans,
  tablesOfAdditions,
  tablesOfRecords,
  tracesOfAdditions,
  versionDigits,
  versionsOfListed,
} from './statements/trace-moves.ts'
import { deleteOfTraces } from './statements/trace-removal.ts'
import type { TraceRepair } from './trace-repair.ts'

/*
 * Moves traces between projects, of one database or of two, many with the same statements: first their log records, some
 * at a time, then all other rows are copied, and those that were copied are deleted. Spans that arrive meanwhile stay where
 * they were sent to. The rows of the traces are deleted after all that was copied, so that an interrupted move finds them
 * when it is repeated. As long as a trace has its row, scores and changes of tags are acknowledged, and prices as long as
 * it has its spans: what of them was not copied is moved after that.
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
    await moveRepriced(to, from, movable, recompute)
    await deleteTraces(from, movable)
    await moveLastRepriced(to, from, movable, recompute)
  }
  // Of those that are in the target only, a move may have been interrupted here.
  const withoutRow = ids.filter(
    (id) => !sources.has(id) && targets.has(id) && !movable.includes(id),
  )
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
  const inTarget = ids.filter((id) => targets.has(id))
  const interrupted = await findInterrupted(to, from, inTarget, sources)
  const movable = ids.filter((id) => (targets.has(id) ? interrupted.has(id) : sources.has(id)))
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

/**
 * Those of some traces in the target that have been copied at least in part, or of which nothing is left but their row.
 * Of those without a row, spans may be left that were priced last.
 */
async function findInterrupted(
  to: Place,
  from: Place,
  ids: readonly string[],
  sources: ReadonlyMap<string, Arrival>,
): Promise<ReadonlySet<string>> {
  const left = await findRecorded(from, ids)
  const copied = await findRecorded(to, [...left.keys()])
  const isInterrupted = (id: string) => {
    const ofTrace = left.get(id)
    if (ofTrace === undefined) return sources.has(id)
    return !ofTrace.isDisjointFrom(copied.get(id) ?? new Set())
  }
  return new Set(ids.filter(isInterrupted))
}

/** Of those of some traces that have spans, in which versions these were recorded. */
async function findRecorded(
  { connection, projectId }: Place,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const recorded = new Map<string, Set<string>>()
  if (ids.length === 0) return recorded
  for (const row of await connection.rows(recordedSpans, { project: projectId, ids })) {
    const [traceId = '', spanId, version] = row.map(String)
    const ofTrace = recorded.get(traceId) ?? new Set()
    recorded.set(traceId, ofTrace.add(`${version} ${spanId}`))
  }
  return recorded
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
  for (const table of tables) {
    for await (const batch of readCopies(to, from, ids, table)) {
      await copyBatch(to, from, ids, table, batch)
      await onCopied?.(table, batch)
    }
  }
}

/** Rows to be copied. */
function readCopies(
  to: Place,
  from: Place,
  ids: readonly string[],
  table: MovedTable,
): AsyncGenerator<Batch, void> {
  const names = isSameServer(to, from) ? '' : `${table.names}, `
  return readBatches(from, ids, table, names, to.projectId)
}

async function copyBatch(
  to: Place,
  from: Place,
  ids: readonly string[],
  table: MovedTable,
  batch: Batch,
): Promise<void> {
  const { lists } = batch
  if (isSameServer(to, from)) {
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
}

function isSameServer(to: Place, from: Place): boolean {
  return to.connection === from.connection
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

type Recompute = (ids: readonly string[]) => Promise<void>

/**
 * Spans that are left after so many attempts are moved when the move is repeated. One is enough, but for those that are
 * priced while they are copied.
 */
const attemptsMax = 5

/** Prices were acknowledged until the spans were deleted; later ones are refused (price-operations.ts). */
async function moveLastRepriced(
  to: Place,
  from: Place,
  ids: readonly string[],
  recompute: Recompute,
): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (!(await moveRepriced(to, from, ids, recompute))) return
  }
  throw new Unavailable('The traces are priced while they are moved.', 1)
}

/** Moves the spans that were priced since they were copied, and returns whether any were left. */
async function moveRepriced(
  to: Place,
  from: Place,
  ids: readonly string[],
  recompute: Recompute,
): Promise<boolean> {
  const copied: Batch[] = []
  const traceIds = new Set<string>()
  for await (const batch of readCopies(to, from, ids, spans)) {
    const copies = await findCopies(to, ids, batch)
    const newer = copies.filter(({ row, copy }) => row.version > copy).map(({ row }) => row)
    for (const some of toBatches(spans, newer)) await copyBatch(to, from, ids, spans, some)
    for (const { position } of newer) traceIds.add(position)
    copied.push(
      ...toBatches(
        spans,
        copies.map(({ row }) => ({ ...row, line: noLine })),
      ),
    )
  }
  if (traceIds.size > 0) await recompute([...traceIds])
  for (const batch of copied) await deleteBatch(from, ids, spans, batch)
  return copied.length > 0
}

const noLine = new Uint8Array()

/**
 * Of some spans, those of which the target has a later version, or one that was recorded with them and possibly priced less
 * often, each with that version. The others have arrived meanwhile.
 */
async function findCopies(
  { connection, projectId }: Place,
  ids: readonly string[],
  batch: Batch,
): Promise<readonly { readonly row: MovedRow; readonly copy: string }[]> {
  const rows = await connection.rows(versionsOfListed(spans, batch.lists.length), {
    ...{ project: projectId, ids },
    ...keysOfBatch(batch),
  })
  const copies = new Map(rows.map(([identity, version]) => [String(identity), String(version)]))
  return batch.lists.flat().flatMap((row) => {
    const copy = padVersion(copies.get(row.identity) ?? '0')
    const isCopied = copy >= row.version || isSameRecording(BigInt(copy), BigInt(row.version))
    return isCopied ? [{ row, copy }] : []
  })
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
    rows.map(({ version }) => version),
  ])
  await connection.execute(deleteListed(table, batch.lists.length), {
    ...{ project: projectId, ids, ...keysOfBatch(batch) },
    ...(table.version !== undefined && (Object.fromEntries(versions) as Parameters)),
  })
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
  return { identity, version: padVersion(version), position, line }
}

function padVersion(version: string): string {
  return version.padStart(versionDigits, '0')
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
