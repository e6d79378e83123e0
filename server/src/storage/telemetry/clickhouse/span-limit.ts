import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '@assay/contract/limits.ts'
import type { Recording } from '../port/ingest.ts'
import type { Connection } from './connection.ts'
import { identityOfLine } from './encode-spans.ts'
import { splitLines } from './lines.ts'
import { splitForParameter, toKey } from './parameter-lists.ts'
import { storedSpanIds } from './statements/traces.ts'
import type { StoredSpans } from './trace-sizes.ts'

/*
 * The maximum number of spans per trace, for batches that are stored together: each of them counts for those after it.
 */

type Batch = Pick<Recording, 'projectId' | 'source' | 'spans'>

/** A batch, and which of its spans have no room in their trace, as trace and span id in two lines. */
export interface Accepted<Of extends Batch> {
  readonly batch: Of
  readonly refused: ReadonlySet<string>
}

/** Of a JSON batch, all spans or none. */
export function isStored({ batch, refused }: Accepted<Batch>): boolean {
  return refused.size === 0 || (batch.source === 'otlp' && refused.size < batch.spans.spanCount)
}

/** Of a trace that may exceed the limit. */
interface Room {
  /** They are replaced. */
  readonly stored: Set<string>
  left: number
}

/** By the key of a trace. */
type SpanIds = ReadonlyMap<string, readonly string[]>

/** What is stored of batches, in their order. Only of traces that may exceed the limit are the spans compared with stored ones. */
export async function acceptSpans<Of extends Batch>(
  connection: Pick<Connection, 'rows'>,
  batches: readonly Of[],
  storedSpans: StoredSpans,
): Promise<readonly Accepted<Of>[]> {
  const crowded = findCrowded(batches, storedSpans)
  if (crowded.size === 0) return batches.map((batch) => ({ batch, refused: new Set() }))
  const spanIds = new Map<Of, SpanIds>()
  for (const batch of batches) spanIds.set(batch, await readSpanIds(batch, crowded))
  const rooms = new Map<string, Room>()
  for (const [key, [project, trace]] of crowded) {
    const ids = new Set(batches.flatMap((batch) => spanIds.get(batch)?.get(key) ?? []))
    const left = Math.max(0, limits.spansPerTrace.value - (storedSpans.get(key) ?? 0))
    // A batch that has many spans has few of each of its many traces: most have room for all.
    if (ids.size <= left) continue
    const stored = new Set<string>()
    for (const spans of splitForParameter([...ids], (id) => id)) {
      const rows = await connection.rows(storedSpanIds, { project, trace, spans })
      for (const [spanId] of rows) stored.add(String(spanId))
    }
    rooms.set(key, { stored, left })
  }
  return batches.map((batch) => acceptBatch(batch, spanIds.get(batch)!, rooms))
}

/** Traces that exceed the limit if all spans of the batches were new ones of theirs. */
function findCrowded(batches: readonly Batch[], storedSpans: StoredSpans) {
  const counts = new Map<string, number>()
  const crowded = new Map<string, readonly [projectId: string, traceId: string]>()
  for (const { projectId, spans } of batches) {
    for (const traceId of spans.traceIds) {
      const key = toKey([projectId, traceId])
      const count = (counts.get(key) ?? storedSpans.get(key) ?? 0) + spans.spanCount
      counts.set(key, count)
      if (count > limits.spansPerTrace.value) crowded.set(key, [projectId, traceId])
    }
  }
  return crowded
}

/** Those of a batch that belong to some traces. */
async function readSpanIds(
  { projectId, spans }: Batch,
  traces: ReadonlyMap<string, unknown>,
): Promise<SpanIds> {
  const ids = new Map<string, string[]>()
  if (!spans.traceIds.some((traceId) => traces.has(toKey([projectId, traceId])))) return ids
  for (const line of spans.parts.flatMap((part) => [...splitLines(part)])) {
    const [traceId, spanId] = identityOfLine(line)
    const key = toKey([projectId, traceId])
    if (!traces.has(key)) continue
    const ofTrace = ids.get(key) ?? []
    ids.set(key, ofTrace)
    ofTrace.push(spanId)
  }
  // Parsing a batch takes a while.
  await nextTurn()
  return ids
}

/** If the batch is stored, its spans take the room that they need. */
function acceptBatch<Of extends Batch>(
  batch: Of,
  spanIds: SpanIds,
  rooms: ReadonlyMap<string, Room>,
): Accepted<Of> {
  const refused = new Set<string>()
  const added: { readonly room: Room; readonly ids: readonly string[] }[] = []
  for (const traceId of batch.spans.traceIds) {
    const key = toKey([batch.projectId, traceId])
    const room = rooms.get(key)
    if (room === undefined) continue
    const ids = (spanIds.get(key) ?? []).filter((id) => !room.stored.has(id))
    added.push({ room, ids: ids.slice(0, room.left) })
    for (const id of ids.slice(room.left)) refused.add(`${traceId}\n${id}`)
  }
  const accepted = { batch, refused }
  if (!isStored(accepted)) return accepted
  for (const { room, ids } of added) {
    for (const id of ids) room.stored.add(id)
    room.left -= ids.length
  }
  return accepted
}
