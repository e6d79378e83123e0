import { limits } from '@assay/contract/limits.ts'
import { type Instant, millisBetween } from '../../../domain/instant.ts'
import { settlesAt } from '../../../domain/settling.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Requester } from '../../../platform/requester.ts'
import { toDay } from '../moved-rows.ts'
import type { Recorded, Recording } from '../port/ingest.ts'
import { type ComputedTrace, computeTrace, type TraceIdentity } from './compute-trace.ts'
import type { Connection } from './connection.ts'
import { identityOfLine } from './encode-spans.ts'
import type { NextVersion } from './hybrid-clock.ts'
import type { LargeTraces } from './large-traces.ts'
import { splitLines, toPrefix } from './lines.ts'
import { listedWithinMs } from './listed-within.ts'
import { ofTraces, splitBySize, splitTraceKeys, type TraceKey, toKey } from './parameter-lists.ts'
import { batchColumns, encodedColumns } from './span-columns.ts'
import { type Accepted, acceptSpans, isStored } from './span-limit.ts'
import { arrivals } from './statements/traces.ts'
import { arrivalColumns, type StoredTrace, storedTraceColumns } from './trace-columns.ts'
import { type LabelRow, labelColumns, toLabelValues } from './trace-labels.ts'
import { findLarge, type LargeBatch } from './trace-sizes.ts'
import { readSources } from './trace-sources.ts'

/*
 * Stores batches of spans: first the spans and labels of several batches together, then the rows of their traces, which
 * are computed from everything that is stored of them by then.
 */

export type SpanBatch = Pick<
  Recording,
  'projectId' | 'organizationId' | 'source' | 'spans' | 'labels'
>

export interface SpanRecording {
  /**
   * One result for each batch, without idempotency records; those that change large traces are not stored, and returned.
   * Rejects when nothing is known of any of them.
   */
  record(
    batches: readonly SpanBatch[],
    at: Instant,
  ): Promise<readonly (BatchOutcome | LargeBatch<SpanBatch>)[]>
  /** Stores them, too. */
  recordLarge(batches: readonly SpanBatch[], at: Instant): Promise<readonly BatchOutcome[]>
  /** Computes stored traces again, and returns their new rows; those without spans get none. */
  recompute(keys: readonly TraceKey[], at: Instant): Promise<readonly StoredTrace[]>
  /** When those of some traces that are stored arrived, by key. */
  findArrivals(keys: readonly TraceKey[]): Promise<ReadonlyMap<string, Arrival>>
  /** Computes traces whose rows were copied from another project, in which they arrived; arrivals are by trace id. */
  recomputeMoved(
    keys: readonly TraceKey[],
    arrivals: ReadonlyMap<string, Arrival>,
    at: Instant,
  ): Promise<void>
}

/** Of traces that are computed together, in memory: as many as one trace may have. */
const spansAtOnce = limits.spansPerTrace.value

export type Outcome = Pick<Recorded, 'traces' | 'refusedSpans'>

/** A promise rejects for this batch alone. */
type BatchOutcome = Outcome | Promise<Outcome>

export interface Arrival {
  readonly spanCount: number
  readonly receivedAt: Instant
  readonly arrivedOn: string
}

export interface SpanRecordingPorts {
  readonly connection: Connection
  readonly nextVersion: NextVersion
  readonly now: () => Instant
  readonly largeTraces: LargeTraces
}

export function openSpanRecording(ports: SpanRecordingPorts): SpanRecording {
  const { connection, nextVersion } = ports
  const { readArrivals, recompute } = openComputation(ports)
  const store = async (
    batches: readonly SpanBatch[],
    known: ReadonlyMap<string, Arrival>,
    at: Instant,
  ): Promise<readonly BatchOutcome[]> => {
    const spanCounts = new Map([...known].map(([key, { spanCount }]) => [key, spanCount]))
    const accepted = await acceptSpans(connection, batches, spanCounts)
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
  }
  return {
    recompute: async (keys, at) => await recompute(keys, await readArrivals(keys), at),

    findArrivals: readArrivals,

    async recomputeMoved(keys, arrivals, at) {
      const known = keys.flatMap((key) => {
        const arrival = arrivals.get(key[1])
        return arrival === undefined ? [] : [[toKey(key), arrival] as const]
      })
      await recompute(keys, new Map(known), at)
    },

    async record(batches, at) {
      const known = await readArrivals(distinctKeys(batches))
      const large = findLarge(batches.map((batch) => withStoredSpans(batch, known)))
      const small = batches.filter((batch) => !large.has(batch))
      const outcomes = await store(small, known, at)
      const outcomeOf = new Map(small.map((batch, index) => [batch, outcomes[index]!]))
      return batches.map((batch) => large.get(batch) ?? outcomeOf.get(batch)!)
    },

    recordLarge: async (batches, at) =>
      await store(batches, await readArrivals(distinctKeys(batches)), at),
  }
}

/** Reads what is stored of traces, and computes their rows. */
function openComputation(ports: SpanRecordingPorts) {
  const { connection, largeTraces: large } = ports
  const readArrivals = async (keys: readonly TraceKey[]): Promise<ReadonlyMap<string, Arrival>> => {
    const known = new Map<string, Arrival>()
    for (const some of splitTraceKeys(keys)) {
      for (const row of await connection.rows(arrivals, ofTraces(some))) {
        const { projectId, traceId, ...arrival } = arrivalColumns.fromRow(row)
        known.set(toKey([projectId, traceId]), arrival)
      }
    }
    return known
  }
  const recomputeSome = async (
    keys: readonly TraceKey[],
    known: ReadonlyMap<string, Arrival>,
    at: Instant,
  ): Promise<readonly StoredTrace[]> => {
    const sources = await readSources(connection, keys, large)
    const traces: ComputedTrace[] = []
    for (const [projectId, traceId] of keys) {
      const key = toKey([projectId, traceId])
      const ofTrace = sources.get(key)
      if (ofTrace === undefined) continue
      const { arrivedOn = toDay(at), receivedAt = at } = known.get(key) ?? {}
      const identity: TraceIdentity = { projectId, traceId, arrivedOn, receivedAt }
      traces.push(await computeTrace(identity, ofTrace))
      large.put(key, ofTrace)
    }
    return await insertTraces(traces, ports)
  }
  const recompute: typeof recomputeSome = async (keys, known, at) => {
    const traces: StoredTrace[] = []
    const spansOf = (key: TraceKey) => known.get(toKey(key))?.spanCount ?? 1
    for (const some of splitTraceKeys(keys)) {
      for (const few of splitBySize(some, spansOf, spansAtOnce)) {
        traces.push(...(await recomputeSome(few, known, at)))
      }
    }
    return traces
  }
  return { readArrivals, recompute }
}

/** The rest of the time in which a settled trace must be listed is for differences between clocks. */
const longestInsertMs = listedWithinMs - 1000
/** Rows that were stored too late settle later by so many times what that took, so that one more attempt is usually enough. */
const delayPerInsert = 4

/**
 * Rows that arrive too late for those who list settled traces are inserted again, with a later time. That ends, because an
 * INSERT that takes more than a minute fails.
 */
async function insertTraces(
  traces: readonly ComputedTrace[],
  { connection, now }: SpanRecordingPorts,
): Promise<readonly StoredTrace[]> {
  const { names, toRow } = storedTraceColumns
  const inserted: StoredTrace[] = []
  let [late, delayMs] = [traces, 0]
  while (late.length > 0) {
    const startedAt = performance.now()
    const updatedAt = now()
    const settledAt = updatedAt + BigInt(Math.ceil(delayMs)) * 1_000_000n
    const timed = late.map((trace) => {
      return { ...trace, updatedAt, settlesAt: settlesAt(trace, settledAt) }
    })
    await connection.insertRows(`traces (${names})`, timed.map(toRow))
    const insertMs = performance.now() - startedAt
    const isInTime = (trace: StoredTrace) =>
      insertMs <= longestInsertMs + millisBetween(updatedAt, trace.settlesAt)
    inserted.push(...timed.filter(isInTime))
    late = timed.filter((trace) => !isInTime(trace))
    delayMs = delayPerInsert * insertMs
  }
  return inserted
}

async function insertBatches(
  connection: Connection,
  accepted: readonly Accepted<SpanBatch>[],
  nextVersion: NextVersion,
  at: Instant,
): Promise<void> {
  const arrivedOn = toDay(at)
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

/** The reply to a JSON batch has its trace. */
function toOutcome(
  { batch, refused }: Accepted<SpanBatch>,
  traces: ReadonlyMap<string, StoredTrace>,
): BatchOutcome {
  if (!isStored({ batch, refused })) return { traces: [], refusedSpans: refused.size }
  const recorded = batch.spans.traceIds.flatMap((traceId) => {
    const trace = traces.get(toKey([batch.projectId, traceId]))
    return trace === undefined ? [] : [trace]
  })
  if (batch.source === 'json' && recorded.length < batch.spans.traceIds.length) {
    return Promise.reject(new Unavailable('The trace was removed while it was recorded.', 1))
  }
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

function withStoredSpans(
  batch: SpanBatch,
  known: ReadonlyMap<string, Arrival>,
): LargeBatch<SpanBatch> {
  const keys = batch.spans.traceIds.map((traceId) => toKey([batch.projectId, traceId]))
  const storedSpans = new Map(keys.map((key) => [key, known.get(key)?.spanCount ?? 0]))
  return { batch, requester: requesterOf(batch), storedSpans }
}

/** Whose turn a batch takes. */
export function requesterOf({ projectId, organizationId = projectId }: SpanBatch): Requester {
  return [organizationId, projectId]
}
