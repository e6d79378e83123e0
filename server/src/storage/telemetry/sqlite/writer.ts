import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { Source, TraceLabels } from '../../../domain/span.ts'
import type { IdempotencyRecord, Recorded, RecordedTrace } from '../port/ingest.ts'
import type { Steps } from '../steps.ts'
import { type Change, type ChangeResult, openChanges } from './changes.ts'
import { prepareSignalWriting, type SignalWriting } from './signal-writing.ts'
import {
  addSpans,
  type DecodedSpans,
  decodeSpans,
  fittingSpans,
  type TouchedTrace,
  type TraceSpans,
  unusedBlocks,
  writeSpans,
} from './span-writing.ts'
import { type StorageError, toStorageError } from './storage-errors.ts'
import { openTraceStates, type TraceState, type TraceStates } from './trace-states.ts'
import { openTransactions, type Transaction } from './transactions.ts'
import { openUnusedRows, type UnusedRows } from './unused-rows.ts'
import { prepareWriting, type Writing } from './write-statements.ts'

/*
 * Stores batches: those of a group in one transaction, each completely or not at all, and those of large traces in
 * steps. Has nothing to do with threads.
 */

/** What a batch contains if not spans. */
export type Signal = 'metrics' | 'logs'

export interface Batch {
  readonly signal: 'spans' | Signal
  readonly projectId: string
  readonly source: Source
  /** Of spans, rows and bodies by turns; of other signals, rows. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  readonly labels: TraceLabels | null
  readonly idempotency: IdempotencyRecord | null
}

export type Outcome = Recorded | StorageError

export interface WrittenBatch {
  /** `large`: nothing is stored yet, because the batch takes too long for a transaction with others. */
  readonly outcome: Outcome | 'large'
  /** The time that it took of the thread, with its part of what the whole transaction took. */
  readonly costMs: number
}

export interface Writer {
  /**
   * Stores batches in one transaction until there are no more. One result for each batch that was taken, in their
   * order. A batch that cannot be stored does not affect the others.
   */
  store(batches: Iterable<Batch>, at: Instant): WrittenBatch[]
  /** Stores a large batch in short steps, trace by trace. Nothing else of its project may be stored in between. */
  storeInSteps(batch: Batch, at: Instant): Steps<Outcome>
  /** As `storeInSteps`. */
  change(change: Change, at: Instant): Steps<ChangeResult | StorageError>
  readonly unusedRows: UnusedRows
}

/** The state of a transaction. */
interface Group {
  readonly at: Instant
  readonly touched: Map<string, TouchedInGroup>
  /** Of those. */
  readonly traces: TraceState[]
  /** By project and key the index of the batch in the group. */
  readonly idempotencyKeys: Map<string, number>
}

interface TouchedInGroup extends TouchedTrace {
  /** The index of the first batch of the group that changes it. */
  readonly batchIndex: number
}

/** What became of a batch: stored, stored earlier, the same as one before it in the group, or nothing yet. */
type AppliedBatch =
  | { readonly traces: readonly TraceState[]; readonly refusedSpans: number }
  | Recorded
  | { readonly sameAs: number }
  | 'large'

/** `smallSpansMax`: traces with more spans are stored in steps. */
export function openWriter(db: DatabaseSync, smallSpansMax?: number): Writer {
  const states = openTraceStates(db, smallSpansMax)
  const writing = prepareWriting(db)
  const signals = prepareSignalWriting(db, writing)
  const transaction = openTransactions(db, states, writing, signals)
  const changes = openChanges(db, states, writing, signals, transaction)

  const applyBatch = openApply(states, writing, signals)
  const writeGroup = (batches: Iterable<Batch>, taken: Batch[], group: Group): WrittenBatch[] => {
    const applied: AppliedBatch[] = []
    const costsMs: number[] = []
    for (const batch of batches) {
      const index = taken.push(batch) - 1
      costsMs[index] = timed(() => applied.push(applyBatch(batch, index, group)))
    }
    for (const touched of group.touched.values()) {
      costsMs[touched.batchIndex]! += timed(() => settle(touched, group.at, writing))
    }
    const outcomes: WrittenBatch['outcome'][] = []
    for (const [index, each] of applied.entries()) {
      outcomes.push(finishBatch(each, taken[index]!, outcomes, group.at, writing))
    }
    return outcomes.map((outcome, index) => ({ outcome, costMs: costsMs[index]! }))
  }

  const store = (batches: Iterable<Batch>, at: Instant): WrittenBatch[] => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const group: Group = { at, touched: new Map(), traces: [], idempotencyKeys: new Map() }
    const taken: Batch[] = []
    try {
      const written = transaction(group.traces, () => writeGroup(batches, taken, group))
      return shareCost(written, elapsed())
    } catch (error) {
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
    storeInSteps: openStepwise(states, writing, transaction),
    change: (change, at) => resultOrError(changes.make(change, at)),
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
      const { signal } = batch
      const write = signal === 'metrics' ? signals.writeMetrics : signals.writeLogs
      for (const rows of batch.parts) write(projectNo, rows)
      return { traces: [], refusedSpans: 0 }
    }
    const earlier = findEarlier(batch, projectNo, group, writing)
    if (earlier !== undefined) return earlier
    const find = (traceId: string): TouchedInGroup | undefined => {
      const known = group.touched.get(`${projectNo} ${traceId}`)
      if (known !== undefined) return known
      const trace = states.find(projectNo, traceId)
      return trace && { trace, batchIndex: index, staleBlocks: new Set<number>() }
    }
    const spans = decodeSpans(batch)
    const accepted = acceptSpans(spans, find)
    if (accepted === undefined) return 'large'
    const { traces, refusedSpans } = accepted
    if (refusedSpans > 0 && batch.source === 'json') return { traces: [], refusedSpans }
    if (batch.idempotency !== null) {
      group.idempotencyKeys.set(keyInGroup(projectNo, batch.idempotency), index)
    }
    for (const { touched, rows } of traces) {
      const key = `${projectNo} ${touched.trace.traceId}`
      if (!group.touched.has(key)) group.traces.push(touched.trace)
      group.touched.set(key, touched)
      writeSpans(addSpans(touched, rows, spans, writing), writing)
    }
    return { traces: traces.map(({ touched }) => touched.trace), refusedSpans }
  }
}

interface AcceptedSpans {
  /** Those of which at least one span is to be stored. */
  readonly traces: readonly {
    readonly touched: TouchedInGroup
    readonly rows: TraceSpans['rows']
  }[]
  readonly refusedSpans: number
}

/** The spans for which their traces have room; undefined when one of the traces is large. */
function acceptSpans(
  { traces }: DecodedSpans,
  find: (traceId: string) => TouchedInGroup | undefined,
): AcceptedSpans | undefined {
  let refusedSpans = 0
  const accepted: AcceptedSpans['traces'][number][] = []
  for (const { traceId, rows } of traces) {
    const touched = find(traceId)
    if (touched === undefined) return undefined
    const fitting = fittingSpans(touched.trace, rows)
    refusedSpans += rows.length - fitting.length
    if (fitting.length > 0) accepted.push({ touched, rows: fitting })
  }
  return { traces: accepted, refusedSpans }
}

/** Stores a batch trace by trace, each in a transaction of its own. */
function openStepwise(
  states: TraceStates,
  writing: Writing,
  transaction: Transaction,
): Writer['storeInSteps'] {
  const storeTrace = function* (
    { projectId, source }: Batch,
    { traceId, rows }: TraceSpans,
    spans: DecodedSpans,
    at: Instant,
  ): Steps<{ readonly traces: readonly RecordedTrace[]; readonly refusedSpans: number }> {
    const trace = yield* states.take(writing.projectNo(projectId), traceId)
    try {
      const fitting = fittingSpans(trace, rows)
      const refusedSpans = rows.length - fitting.length
      if (fitting.length === 0 || (refusedSpans > 0 && source === 'json')) {
        states.cache([trace])
        return { traces: [], refusedSpans }
      }
      const touched = { trace, staleBlocks: new Set<number>() }
      const added = addSpans(touched, fitting, spans, writing)
      yield* trace.spans.update()
      return transaction([trace], () => {
        writeSpans(added, writing)
        settle(touched, at, writing)
        return { traces: [toRecorded(trace)], refusedSpans }
      })
    } catch (error) {
      states.invalidate([trace])
      throw error
    }
  }
  return function* (batch, at) {
    const traces: RecordedTrace[] = []
    let refusedSpans = 0
    try {
      const { note = '', key } = batch.idempotency ?? {}
      const projectNo = writing.projectNo(batch.projectId)
      const earlier = key && writing.findIdempotencyRecord(projectNo, key)
      if (earlier) return earlier
      const spans = decodeSpans(batch)
      for (const each of spans.traces) {
        const stored = yield* storeTrace(batch, each, spans, at)
        traces.push(...stored.traces)
        refusedSpans += stored.refusedSpans
        yield
      }
      const recorded = { traces, repeated: false, note, refusedSpans }
      if (key !== undefined && traces.length > 0) {
        writing.insertIdempotencyRecord(projectNo, key, recorded, at)
      }
      return recorded
    } catch (error) {
      return toStorageError(error)
    }
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

function* resultOrError<T>(steps: Steps<T>): Steps<T | StorageError> {
  try {
    return yield* steps
  } catch (error) {
    return toStorageError(error)
  }
}

/** Writes the trace as its spans make it. */
function settle(touched: TouchedTrace, at: Instant, writing: Writing): void {
  writing.putTrace(touched.trace, at)
  for (const blockNo of unusedBlocks(touched)) writing.deleteBlock(blockNo)
}

function finishBatch(
  applied: AppliedBatch,
  { projectId, idempotency }: Batch,
  earlier: readonly WrittenBatch['outcome'][],
  at: Instant,
  writing: Writing,
): WrittenBatch['outcome'] {
  if (applied === 'large') return applied
  if ('sameAs' in applied) return { ...(earlier[applied.sameAs] as Recorded), repeated: true }
  if ('repeated' in applied) return applied
  const traces = applied.traces.map(toRecorded)
  const { refusedSpans } = applied
  const recorded = { traces, repeated: false, note: idempotency?.note ?? '', refusedSpans }
  if (idempotency !== null && traces.length > 0) {
    writing.insertIdempotencyRecord(writing.projectNo(projectId), idempotency.key, recorded, at)
  }
  return recorded
}

function toRecorded({ traceId, totals }: TraceState): RecordedTrace {
  if (totals === null)
    throw new Error('A batch was finished before the totals of its traces were computed.')
  return { traceId, spanCount: totals.spanCount, status: totals.status }
}
