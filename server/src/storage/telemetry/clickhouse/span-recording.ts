import { limits } from '@assay/contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Recorded, Recording } from '../port/ingest.ts'
import { computeTrace, type TraceIdentity } from './compute-trace.ts'
import type { Connection, Parameters } from './connection.ts'
import { identityOfLine } from './encode-spans.ts'
import type { NextVersion } from './hybrid-clock.ts'
import { splitLines, toPrefix } from './lines.ts'
import { batchColumns, countedColumns, encodedColumns } from './span-columns.ts'
import { arrivals, countedSpans, labelsOfTraces, storedSpanIds } from './statements/traces.ts'
import { arrivalColumns, type StoredTrace, storedTraceColumns } from './trace-columns.ts'
import { type LabelRow, labelColumns, toLabelValues } from './trace-labels.ts'

/*
 * Stores batches of spans: first the spans and labels of several batches together, then the rows of their traces, which
 * are computed from everything that is stored of them by then.
 */

export type SpanBatch = Pick<Recording, 'projectId' | 'source' | 'spans' | 'labels'>

type TraceKey = readonly [projectId: string, traceId: string]

export interface SpanRecording {
  /** One result for each batch, without idempotency records. Rejects when nothing is known of any of them. */
  record(batches: readonly SpanBatch[], at: Instant): Promise<readonly Outcome[]>
  /** Computes stored traces again, and returns their rows; those without spans have none. */
  recompute(keys: readonly TraceKey[], at: Instant): Promise<readonly StoredTrace[]>
}

export type Outcome = Pick<Recorded, 'traces' | 'refusedSpans'>

interface Arrival {
  readonly spanCount: number
  readonly receivedAt: Instant
  readonly arrivedOn: string
}

/** A batch, and which of its spans have no room in their trace. */
interface Accepted {
  readonly batch: SpanBatch
  readonly refused: ReadonlySet<string>
}

export function openSpanRecording(connection: Connection, nextVersion: NextVersion): SpanRecording {
  const readArrivals = async (keys: readonly TraceKey[]): Promise<ReadonlyMap<string, Arrival>> => {
    const rows = await connection.rows(arrivals, ofTraces(keys))
    return new Map(
      rows.map((row) => {
        const { projectId, traceId, ...arrival } = arrivalColumns.fromRow(row)
        return [toKey([projectId, traceId]), arrival]
      }),
    )
  }
  const recompute = async (
    keys: readonly TraceKey[],
    known: ReadonlyMap<string, Arrival>,
    at: Instant,
  ): Promise<readonly StoredTrace[]> => {
    const [spans, labels] = await Promise.all([
      readSpans(connection, keys),
      readLabels(connection, keys),
    ])
    const traces: StoredTrace[] = []
    for (const [projectId, traceId] of keys) {
      const key = toKey([projectId, traceId])
      const ofTrace = spans.get(key)
      if (ofTrace === undefined) continue
      const { arrivedOn = toDate(at), receivedAt = at } = known.get(key) ?? {}
      const identity: TraceIdentity = { projectId, traceId, arrivedOn, receivedAt }
      const sources = { spans: ofTrace, labels: labels.get(key) ?? [] }
      traces.push(await computeTrace(identity, sources, at))
    }
    const { names, toRow } = storedTraceColumns
    await connection.insertRows(`traces (${names})`, traces.map(toRow))
    return traces
  }
  return {
    recompute: async (keys, at) => await recompute(keys, await readArrivals(keys), at),

    async record(batches, at) {
      const keys = distinctKeys(batches)
      const known = await readArrivals(keys)
      const accepted: Accepted[] = []
      for (const batch of batches) {
        accepted.push({ batch, refused: await findRefused(connection, batch, known) })
      }
      const stored = accepted.filter(isStored)
      await insertBatches(connection, stored, nextVersion, at)
      const touched = distinctKeys(stored.map(({ batch }) => batch))
      const traces = new Map(
        (await recompute(touched, known, at)).map((trace) => [
          toKey([trace.projectId, trace.traceId]),
          trace,
        ]),
      )
      return accepted.map((each) => toOutcome(each, traces))
    },
  }
}

/** Of a JSON batch, all spans or none. */
function isStored({ batch, refused }: Accepted): boolean {
  return refused.size === 0 || (batch.source === 'otlp' && refused.size < batch.spans.spanCount)
}

async function insertBatches(
  connection: Connection,
  accepted: readonly Accepted[],
  nextVersion: NextVersion,
  at: Instant,
): Promise<void> {
  const arrivedOn = toDate(at)
  const spanRows: Uint8Array[] = []
  const labelRows: LabelRow[] = []
  for (const { batch, refused } of accepted) {
    const { projectId, source, spans, labels } = batch
    const version = String(nextVersion(at))
    const prefix = toPrefix(batchColumns.toRow({ projectId, version, arrivedOn, source }))
    for (const line of spans.parts.flatMap((part) => [...splitLines(part)])) {
      if (refused.size > 0 && refused.has(identityOfLine(line).join('\n'))) continue
      spanRows.push(prefix, line)
    }
    if (labels === undefined) continue
    const [traceId = ''] = spans.traceIds
    for (const [label, value] of toLabelValues(labels)) {
      labelRows.push({ projectId, traceId, label, version, arrivedOn, value })
    }
  }
  await Promise.all([
    connection.insert(`spans (${batchColumns.names}, ${encodedColumns.names})`, spanRows),
    connection.insertRows(
      `trace_labels (${labelColumns.names})`,
      labelRows.map(labelColumns.toRow),
    ),
  ])
}

/** The spans of a batch for which their traces have no room. */
async function findRefused(
  connection: Connection,
  { projectId, spans }: SpanBatch,
  known: ReadonlyMap<string, Arrival>,
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  const most = limits.spansPerTrace.value
  const countOf = (traceId: string) => known.get(toKey([projectId, traceId]))?.spanCount ?? 0
  if (spans.traceIds.every((id) => countOf(id) + spans.spanCount <= most)) return refused
  const idsByTrace = new Map<string, string[]>()
  for (const line of spans.parts.flatMap((part) => [...splitLines(part)])) {
    const [traceId, spanId] = identityOfLine(line)
    const ids = idsByTrace.get(traceId) ?? []
    idsByTrace.set(traceId, ids)
    ids.push(spanId)
  }
  for (const [traceId, ids] of idsByTrace) {
    let room = most - countOf(traceId)
    if (ids.length <= room) continue
    const found = await connection.rows(storedSpanIds, {
      ...{ project: projectId, trace: traceId, spans: ids },
    })
    const stored = new Set(found.map(([spanId]) => String(spanId)))
    for (const spanId of ids) {
      if (stored.has(spanId)) continue
      if (room > 0) room -= 1
      else refused.add(`${traceId}\n${spanId}`)
    }
  }
  return refused
}

type CountedRow = ReturnType<typeof countedColumns.fromRow>

async function readSpans(
  connection: Connection,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, readonly CountedRow[]>> {
  const byTrace = new Map<string, CountedRow[]>()
  for await (const rows of connection.stream(countedSpans, ofTraces(keys))) {
    for (const row of rows) addTo(byTrace, countedColumns.fromRow(row))
  }
  return byTrace
}

async function readLabels(
  connection: Connection,
  keys: readonly TraceKey[],
): Promise<ReadonlyMap<string, readonly LabelRow[]>> {
  const byTrace = new Map<string, LabelRow[]>()
  const rows = await connection.rows(labelsOfTraces, ofTraces(keys))
  for (const row of rows) addTo(byTrace, labelColumns.fromRow(row))
  return byTrace
}

function addTo<Item extends { readonly projectId: string; readonly traceId: string }>(
  byTrace: Map<string, Item[]>,
  item: Item,
): void {
  const key = toKey([item.projectId, item.traceId])
  const items = byTrace.get(key) ?? []
  byTrace.set(key, items)
  items.push(item)
}

function toOutcome(
  { batch, refused }: Accepted,
  traces: ReadonlyMap<string, StoredTrace>,
): Outcome {
  if (!isStored({ batch, refused })) return { traces: [], refusedSpans: refused.size }
  const recorded = batch.spans.traceIds.flatMap((traceId) => {
    const trace = traces.get(toKey([batch.projectId, traceId]))
    return trace === undefined ? [] : [trace]
  })
  return {
    traces: recorded.map(({ traceId, spanCount, status }) => ({ traceId, spanCount, status })),
    refusedSpans: refused.size,
  }
}

function distinctKeys(batches: readonly SpanBatch[]): readonly TraceKey[] {
  const keys = batches.flatMap(({ projectId, spans }) =>
    spans.traceIds.map((traceId): TraceKey => [projectId, traceId]),
  )
  return [...new Map(keys.map((key) => [toKey(key), key])).values()]
}

/** The parameters of statements on some traces. */
function ofTraces(keys: readonly TraceKey[]): Parameters {
  const [projects, traces] = [keys.map(([project]) => project), keys.map(([, trace]) => trace)]
  return { projects, traces }
}

function toKey(key: TraceKey): string {
  return JSON.stringify(key)
}

/** The day in UTC. */
export function toDate(at: Instant): string {
  return new Date(Number(at / 1_000_000n)).toISOString().slice(0, 10)
}
