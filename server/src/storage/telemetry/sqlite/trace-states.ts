import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceLabels } from '../../../domain/span.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import { scaleToMemory } from '../../../platform/scale-to-memory.ts'
import { TraceAggregate } from '../aggregates/trace-aggregate.ts'
import { type RollupHead, toRollupHead } from '../aggregates/trace-rollup.ts'
import { finish, type Steps } from '../steps.ts'
import { prepareRows } from './database.ts'
import { countedSpanColumns, type StoredSpanState } from './span-columns.ts'
import { countedSpansOfTrace } from './statements/spans.ts'
import { findTraceState, lastTraceNo } from './statements/traces.ts'
import { traceStateColumns } from './trace-columns.ts'

/*
 * The traces that the writer changes, with the part of their spans that totals depend on. The most recently
 * changed ones are cached, so that a trace that arrives span by span is not read again for each. The cache
 * has only what is stored: when a transaction fails, the traces that it changed are dropped.
 *
 * Reading a large trace, or changing its spans, takes up to a second. It is done in steps, between which the
 * writer works for other projects; meanwhile the trace is not in the cache.
 */

/** The facets that a trace is indexed under, and at which time. */
export interface IndexEntry {
  readonly facetNos: readonly number[]
  readonly at: Instant
}

export interface TraceState {
  readonly traceNo: number
  readonly projectNo: number
  readonly traceId: string
  readonly spans: TraceAggregate<StoredSpanState>
  labels: TraceLabels | null
  /** As last written; null when unknown. */
  totals: TraceTotals | null
  /** Calls that count in another span, as stored. */
  repeats: Map<string, string>
  /** Calls that count beside those within them, as stored. */
  separate: Set<string>
  /** Its rollup delta as stored, with `spans.models`; null when not stored. */
  rollup: RollupHead | null
  /** As stored; null when not stored. */
  indexEntry: IndexEntry | null
  isStored: boolean
}

export interface TraceStates {
  /** The stored trace, or a new one for the caller to store. Undefined for a large trace, which has to be taken. */
  find(projectNo: number, traceId: string): TraceState | undefined
  /**
   * Reads the trace in short steps. Nobody else may change it until the caller passes it to `cache` or `invalidate`. A
   * trace that cannot be read is not taken.
   */
  take(projectNo: number, traceId: string): Steps<TraceState>
  /** Also while `take` waits. */
  isTaken(trace: TraceKey): boolean
  /** Caches traces that are now stored, and drops those changed longest ago. */
  cache(traces: Iterable<TraceState>): void
  invalidate(traces: Iterable<TraceKey>): void
}

type TraceKey = Pick<TraceState, 'projectNo' | 'traceId'>

/** Of more spans, a trace is large. So many are read in a few milliseconds. */
const smallTraceSpansMax = 2000

/** Enough for two traces of the maximum size, unless their texts are long. Includes those that are taken. */
const cachedBytesMax = scaleToMemory(128 * 1024 * 1024)
/** What a cached trace and each of its spans take besides their texts. */
const traceBytes = 4000
const spanBytes = 600

interface Cached {
  readonly trace: TraceState
  readonly bytes: number
}

export function openTraceStates(db: DatabaseSync, smallSpansMax = smallTraceSpansMax): TraceStates {
  const { read, load } = openLoader(db)
  // In the order of the last change, each with its estimated size.
  const cached = new Map<string, Cached>()
  /** The sizes of traces that are taken. */
  const taken = new Map<string, number>()
  let bytesInUse = 0

  const drop = (key: string) => {
    bytesInUse -= cached.get(key)?.bytes ?? 0
    cached.delete(key)
  }
  const release = (key: string) => {
    bytesInUse -= taken.get(key) ?? 0
    taken.delete(key)
  }
  const dropOldest = () => {
    for (const key of cached.keys()) {
      if (bytesInUse <= cachedBytesMax) return
      drop(key)
    }
  }
  const reserve = function* (key: string, bytes: number): Steps<void> {
    taken.set(key, 0)
    while (!fits(bytes, sum(taken.values()))) yield 'waiting'
    taken.set(key, bytes)
    bytesInUse += bytes
    dropOldest()
  }
  return {
    find(projectNo, traceId) {
      const known = cached.get(toKey({ projectNo, traceId }))?.trace
      if (known !== undefined) return known.spans.size > smallSpansMax ? undefined : known
      const row = read(projectNo, traceId)
      return row.spanCount > smallSpansMax ? undefined : finish(load(row))
    },

    *take(projectNo, traceId) {
      const key = toKey({ projectNo, traceId })
      const known = cached.get(key)
      drop(key)
      const row = read(projectNo, traceId)
      yield* reserve(key, known?.bytes ?? traceBytes + spanBytes * row.spanCount)
      try {
        return known?.trace ?? (yield* load(row))
      } catch (error) {
        release(key)
        throw error
      }
    },

    isTaken: (trace) => taken.has(toKey(trace)),

    cache(traces) {
      for (const trace of traces) {
        const key = toKey(trace)
        release(key)
        drop(key)
        const bytes = traceBytes + spanBytes * trace.spans.size + trace.spans.textLength
        cached.set(key, { trace, bytes })
        bytesInUse += bytes
      }
      dropOldest()
    },

    invalidate(traces) {
      for (const trace of traces) {
        release(toKey(trace))
        drop(toKey(trace))
      }
    },
  }
}

/** One trace may always be taken. */
function fits(bytes: number, inUse: number): boolean {
  return inUse === 0 || inUse + bytes <= cachedBytesMax
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

type TraceStateRow = Parameters<typeof traceStateColumns.fromRow>[0]
type CountedSpanRow = Parameters<typeof countedSpanColumns.fromRow>[0]

/** A trace without its spans. */
interface TraceHead extends Pick<TraceState, 'traceNo' | 'projectNo' | 'traceId' | 'labels'> {
  /** Null when it is not stored. */
  readonly indexEntry: IndexEntry | null
  readonly spanCount: number
}

interface Loader {
  readonly read: (projectNo: number, traceId: string) => TraceHead
  readonly load: (head: TraceHead) => Steps<TraceState>
}

/** Read in one step, in about a millisecond. */
const spansPerStep = 200

function openLoader(db: DatabaseSync): Loader {
  const selectState = prepareRows(db, findTraceState)
  const selectSpans = prepareRows(db, countedSpansOfTrace)
  const [last] = prepareRows(db, lastTraceNo).get() as unknown as [number]
  // Numbers are not reused: those of a failed transaction stay unused until the next start.
  let nextTraceNo = last + 1

  const loadSpans = function* (traceNo: number): Steps<TraceState['spans']> {
    const spans = new TraceAggregate<StoredSpanState>({ isStale: true })
    const share = openTextPool()
    for (let afterSpanId = ''; ; ) {
      const rows = selectSpans.all(
        traceNo,
        afterSpanId,
        spansPerStep,
      ) as unknown as CountedSpanRow[]
      for (const row of rows) {
        const span = countedSpanColumns.fromRow(share(row))
        spans.set(span.spanId, span)
        afterSpanId = span.spanId
      }
      if (rows.length < spansPerStep) break
      yield
    }
    yield* spans.update()
    return spans
  }
  return {
    read(projectNo, traceId) {
      const row = selectState.get(projectNo, traceId) as unknown as TraceStateRow | undefined
      if (row === undefined) {
        const unstored = { labels: null, indexEntry: null, spanCount: 0 }
        return { traceNo: nextTraceNo++, projectNo, traceId, ...unstored }
      }
      const { traceNo, labels, facetNos, startedAt, spanCount } = traceStateColumns.fromRow(row)
      const indexEntry = { facetNos, at: startedAt }
      return { traceNo, projectNo, traceId, labels, indexEntry, spanCount }
    },

    *load({ indexEntry, traceNo, projectNo, traceId, labels }) {
      const trace = { ...fresh, traceNo, projectNo, traceId, labels }
      const repeats = new Map<string, string>()
      const separate = new Set<string>()
      if (indexEntry === null)
        return { ...trace, repeats, separate, spans: new TraceAggregate<StoredSpanState>() }
      const spans = yield* loadSpans(traceNo)
      const rollup = toRollupHead(spans.totals(labels))
      spans.models.take()
      for (const { spanId, repeatsSpanId, isSeparateCall } of spans.values()) {
        if (repeatsSpanId !== null) repeats.set(spanId, repeatsSpanId)
        if (isSeparateCall) separate.add(spanId)
      }
      return { ...trace, repeats, separate, spans, indexEntry, rollup, isStored: true }
    },
  }
}

/** Lets the rows share equal texts, which halves the memory that the spans of a trace take. */
function openTextPool(): (row: CountedSpanRow) => CountedSpanRow {
  const texts = new Map<unknown, string>()
  return (row) =>
    row.map((text, column) => {
      if (typeof text !== 'string' || !isSharedColumn[column]) return text
      const known = texts.get(text)
      if (known === undefined) texts.set(text, text)
      return known ?? text
    }) as unknown as CountedSpanRow
}

/** Instants are parsed, and ids differ. */
const isSharedColumn = countedSpanColumns.keys.map(
  (key) => !['spanId', 'parentSpanId', 'startedAt', 'endedAt'].includes(key),
)

const fresh = {
  totals: null,
  rollup: null,
  indexEntry: null,
  isStored: false,
} as const

function toKey({ projectNo, traceId }: TraceKey): string {
  return `${projectNo} ${traceId}`
}
