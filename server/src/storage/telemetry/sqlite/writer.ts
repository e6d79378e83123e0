import type { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Source, TraceLabels } from '../../../domain/span.ts'
import { mergeLabels } from '../../../domain/trace-labels.ts'
import type { IdempotencyRecord, Recorded } from '../port/ingest.ts'
import { type BatchRows, decodeRows } from './batch-rows.ts'
import { type Change, type ChangeResult, openChanges } from './changes.ts'
import { prepareSignalWriting, type SignalWriting } from './signal-writing.ts'
import {
  blockOfEncoded,
  type EncodedSpanRow,
  encodedSpanId,
  toCountedSpan,
  toStoredRow,
} from './span-columns.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { openTraceStates, type TraceState, type TraceStates } from './trace-states.ts'
import { openUnusedRows, type UnusedRows } from './unused-rows.ts'
import { prepareWriting, type Writing } from './write-statements.ts'

/*
 * Stores batches: those of a group in one transaction, each completely or not at all. Has nothing to do with threads.
 */

/** What a batch contains if not spans. */
export type Signal = 'metrics' | 'logs'

export interface Batch {
  /** Batches of other signals only have rows. */
  readonly signal: 'spans' | Signal
  readonly projectId: string
  readonly source: Source
  readonly traceIds: readonly string[]
  readonly rows: Uint8Array<ArrayBuffer>
  readonly bodies: Uint8Array<ArrayBuffer>
  readonly labels: TraceLabels | null
  readonly idempotency: IdempotencyRecord | null
}

export type Outcome = Recorded | StorageError

export interface WrittenBatch {
  readonly outcome: Outcome
  /** The time that it took of the thread, with its part of what the whole transaction took. */
  readonly costMs: number
}

export interface Writer {
  /**
   * Stores batches in one transaction until there are no more, or until the traces that they change are large together.
   * One result for each batch that was taken, in their order. A batch that cannot be stored does not affect the others.
   */
  store(batches: Iterable<Batch>, at: Instant): WrittenBatch[]
  change(change: Change, at: Instant): ChangeResult | StorageError
  /** Deletes at most `limit` records from before `before`; true where there may be more. */
  deleteExpiredIdempotencyRecords(before: Instant, limit: number): boolean
  readonly unusedRows: UnusedRows
}

/** The state of a transaction. */
interface Group {
  readonly at: Instant
  readonly touched: Map<string, TouchedTrace>
  /** By project and key the index of the batch in the group. */
  readonly idempotencyKeys: Map<string, number>
  /** Spans that the touched traces had before. */
  loadedSpans: number
}

interface TouchedTrace {
  readonly trace: TraceState
  /** The index of the first batch of the group that changes it. */
  readonly batchIndex: number
  /** Blocks of spans that have been replaced. */
  readonly staleBlocks: Set<number>
}

/** What became of a batch: stored, stored earlier, or the same as one before it in the group. */
type AppliedBatch =
  | { readonly traces: readonly TraceState[]; readonly refusedSpans: number }
  | Recorded
  | { readonly sameAs: number }

/** A transaction takes no more batches beyond this, so that it never holds many large traces. */
const groupSpansMax = limits.spansPerTrace.value

export function openWriter(db: DatabaseSync): Writer {
  const states = openTraceStates(db)
  const writing = prepareWriting(db)
  const signals = prepareSignalWriting(db, writing)
  const changes = openChanges(db, states, writing, signals)

  const applyBatch = openApply(states, writing, signals)
  const writeGroup = (batches: Iterable<Batch>, taken: Batch[], group: Group): WrittenBatch[] => {
    const applied: AppliedBatch[] = []
    const costsMs: number[] = []
    for (const batch of batches) {
      const index = taken.push(batch) - 1
      costsMs[index] = timed(() => applied.push(applyBatch(batch, index, group)))
      if (group.loadedSpans >= groupSpansMax) break
    }
    for (const touched of group.touched.values()) {
      costsMs[touched.batchIndex]! += timed(() => settle(touched, group.at, writing))
    }
    writing.writeRollups()
    const outcomes: Recorded[] = []
    for (const [index, each] of applied.entries()) {
      outcomes.push(finishBatch(each, taken[index]!, outcomes, group.at, writing))
    }
    return outcomes.map((outcome, index) => ({ outcome, costMs: costsMs[index]! }))
  }

  const store = (batches: Iterable<Batch>, at: Instant): WrittenBatch[] => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const group: Group = { at, touched: new Map(), idempotencyKeys: new Map(), loadedSpans: 0 }
    const traces = () => [...group.touched.values()].map(({ trace }) => trace)
    const taken: Batch[] = []
    try {
      db.exec('BEGIN IMMEDIATE')
      const written = writeGroup(batches, taken, group)
      db.exec('COMMIT')
      states.cache(traces())
      return shareCost(written, elapsed())
    } catch (error) {
      states.invalidate(traces())
      writing.invalidate()
      signals.invalidate()
      // A full disk may have caused a rollback already.
      if (db.isTransaction) db.exec('ROLLBACK')
      const storageError = toStorageError(error)
      // The transaction could not begin: the next attempts would wait for it as long.
      if (taken.length === 0) taken.push(...batches)
      if (storageError.retryAfterSeconds !== null || taken.length === 1)
        return taken.map(() => ({ outcome: storageError, costMs: elapsed() / taken.length }))
      // One of them caused it: stored one by one, only that one fails.
      return taken.flatMap((batch) => store([batch], at))
    }
  }
  return {
    store,
    change: (change, at) => resultOrError(() => changes.make(change, at)),
    deleteExpiredIdempotencyRecords: writing.deleteExpiredIdempotencyRecords,
    unusedRows: openUnusedRows(db, () => {
      writing.invalidate()
      signals.invalidate()
    }),
  }
}

function keyInGroup(projectNo: number, { key }: IdempotencyRecord): string {
  return `${projectNo} ${key}`
}

/** The outcome of an earlier batch with the same idempotency key. */
function findEarlier(
  { idempotency }: Batch,
  projectNo: number,
  group: Group,
  writing: Writing,
): AppliedBatch | undefined {
  if (idempotency === null) return undefined
  const earlier = writing.findIdempotencyRecord(projectNo, idempotency.key)
  if (earlier !== undefined) return earlier
  const sameAs = group.idempotencyKeys.get(keyInGroup(projectNo, idempotency))
  return sameAs === undefined ? undefined : { sameAs }
}

/** Writes the spans or other rows of a batch, within the open transaction. */
function openApply(
  states: TraceStates,
  writing: Writing,
  signals: SignalWriting,
): (batch: Batch, index: number, group: Group) => AppliedBatch {
  return (batch, index, group) => {
    const projectNo = writing.projectNo(batch.projectId)
    if (batch.signal !== 'spans') {
      if (batch.signal === 'metrics') signals.writeMetrics(projectNo, batch.rows)
      else signals.writeLogs(projectNo, batch.rows)
      return { traces: [], refusedSpans: 0 }
    }
    const earlier = findEarlier(batch, projectNo, group, writing)
    if (earlier !== undefined) return earlier
    const find = (traceId: string): TouchedTrace =>
      group.touched.get(`${projectNo} ${traceId}`) ?? {
        trace: states.find(projectNo, traceId),
        batchIndex: index,
        staleBlocks: new Set<number>(),
      }
    const { accepted, refusedSpans } = acceptSpans(batch, find)
    if (refusedSpans > 0 && batch.source === 'json') return { traces: [], refusedSpans }
    if (batch.idempotency !== null) {
      group.idempotencyKeys.set(keyInGroup(projectNo, batch.idempotency), index)
    }
    for (const { touched } of accepted.traces) {
      const key = `${projectNo} ${touched.trace.traceId}`
      if (!group.touched.has(key)) group.loadedSpans += touched.trace.spans.size
      group.touched.set(key, touched)
    }
    applySpans(batch, accepted, writing)
    return { traces: accepted.traces.map(({ touched }) => touched.trace), refusedSpans }
  }
}

/** With the time of the transaction that belongs to no batch, in proportion to their own. */
function shareCost(written: readonly WrittenBatch[], elapsedMs: number): WrittenBatch[] {
  const ownMs = written.reduce((sum, { costMs }) => sum + costMs, 0)
  const factor = ownMs === 0 ? 1 : elapsedMs / ownMs
  return written.map(({ outcome, costMs }) => ({ outcome, costMs: costMs * factor }))
}

/** The time that the work took, in milliseconds. */
function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

function resultOrError<T>(make: () => T): T | StorageError {
  try {
    return make()
  } catch (error) {
    return toStorageError(error)
  }
}

interface AcceptedSpans {
  /** Those of which at least one span is to be stored. */
  readonly traces: readonly {
    readonly touched: TouchedTrace
    readonly rows: readonly EncodedSpanRow[]
  }[]
  readonly blocks: BatchRows['blocks']
}

/** The spans for which their traces have room. */
function acceptSpans(
  { rows, traceIds }: Batch,
  find: (traceId: string) => TouchedTrace,
): { readonly accepted: AcceptedSpans; readonly refusedSpans: number } {
  const { traces, blocks } = decodeRows(rows)
  let refusedSpans = 0
  const accepted = traces.flatMap((all, index) => {
    const touched = find(traceIds[index]!)
    const fitting = fittingSpans(touched.trace, all)
    refusedSpans += all.length - fitting.length
    return fitting.length === 0 ? [] : [{ touched, rows: fitting }]
  })
  return { accepted: { traces: accepted, blocks }, refusedSpans }
}

function fittingSpans(
  { spans }: TraceState,
  rows: readonly EncodedSpanRow[],
): readonly EncodedSpanRow[] {
  let room = limits.spansPerTrace.value - spans.size
  if (rows.length <= room) return rows
  return rows.filter((row) => spans.has(encodedSpanId(row)) || room-- > 0)
}

function applySpans(batch: Batch, { traces, blocks }: AcceptedSpans, writing: Writing): void {
  const owners: number[] = []
  for (const { touched, rows } of traces) {
    for (const row of rows) owners[blockOfEncoded(row)] = touched.trace.traceNo
  }
  let at = 0
  const blockNos = blocks.map(([bytes, isCompressed], block) => {
    const data = batch.bodies.subarray(at, at + bytes)
    at += bytes
    const owner = owners[block]
    return owner === undefined ? undefined : writing.insertBlock(owner, { data, isCompressed })
  })
  for (const { touched, rows } of traces) {
    const { trace, staleBlocks } = touched
    if (batch.labels !== null) trace.labels = mergeLabels(trace.labels, batch.labels)
    for (const encoded of rows) {
      const row = toStoredRow(encoded, blockNos[blockOfEncoded(encoded)]!, batch.source)
      const span = toCountedSpan(row)
      const replaced = trace.spans.get(span.spanId)
      if (replaced !== undefined) staleBlocks.add(replaced.blockNo)
      writing.putSpan(trace.traceNo, row)
      trace.spans.set(span.spanId, span)
    }
  }
}

/** Writes the trace as its spans make it, and deletes blocks that no span of it refers to any more. */
function settle({ trace, staleBlocks }: TouchedTrace, at: Instant, writing: Writing): void {
  writing.putTrace(trace, at)
  if (staleBlocks.size === 0) return
  for (const { blockNo } of trace.spans.values()) staleBlocks.delete(blockNo)
  for (const blockNo of staleBlocks) writing.deleteBlock(blockNo)
}

function finishBatch(
  applied: AppliedBatch,
  { projectId, idempotency }: Batch,
  earlier: readonly Recorded[],
  at: Instant,
  writing: Writing,
): Recorded {
  if ('sameAs' in applied) return { ...earlier[applied.sameAs]!, repeated: true }
  if ('repeated' in applied) return applied
  const traces = applied.traces.map(({ traceId, totals }) => {
    if (totals === null)
      throw new Error('A batch was finished before the totals of its traces were computed.')
    return { traceId, spanCount: totals.spanCount, status: totals.status }
  })
  const { refusedSpans } = applied
  const recorded = { traces, repeated: false, note: idempotency?.note ?? '', refusedSpans }
  if (idempotency !== null && traces.length > 0) {
    writing.insertIdempotencyRecord(writing.projectNo(projectId), idempotency.key, recorded, at)
  }
  return recorded
}
