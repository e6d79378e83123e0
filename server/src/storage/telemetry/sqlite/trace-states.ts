import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceLabels } from '../../../domain/span.ts'
import { type RollupDelta, toRollupDelta } from '../../../domain/trace-rollup.ts'
import { type TraceTotals, totalsOf } from '../../../domain/trace-totals.ts'
import { prepareRows } from './database.ts'
import { type SpanRow, type StoredSpanState, toCountedSpan } from './span-columns.ts'
import { spansOfTrace } from './statements/spans.ts'
import { findTraceState, lastTraceNo } from './statements/traces.ts'
import { traceStateColumns } from './trace-columns.ts'

/*
 * What the writer knows of the traces it touches: the countable part of every span, so that a trace fed span
 * by span is not read again for each. Traces lately touched are kept in memory; they are only a copy of what
 * is stored, and are forgotten when a transaction that touched them fails.
 */

/** Where a trace is filed: under these facets, at this time. */
export interface IndexEntry {
  readonly facetNos: readonly number[]
  readonly at: Instant
}

export interface TraceState {
  readonly traceNo: number
  readonly projectNo: number
  readonly traceId: string
  readonly spans: Map<string, StoredSpanState>
  labels: TraceLabels | null
  /** As last written; null where that is unknown. */
  totals: TraceTotals | null
  /** What it adds to figures as stored; null while it is not. */
  rollupDelta: RollupDelta | null
  /** As stored; null while it is not. */
  indexEntry: IndexEntry | null
  isStored: boolean
}

export interface TraceStates {
  /** The trace as stored, or a new one that the caller is to store. */
  find(projectNo: number, traceId: string): TraceState
  /** Remembers traces that are now as stored, and lets the ones touched longest ago go. */
  keep(traces: Iterable<TraceState>): void
  invalidate(traces: Iterable<TraceState>): void
}

/** About 20 MB. A larger trace is held alone. */
const cachedSpansMax = 50_000

export function openTraceStates(db: DatabaseSync): TraceStates {
  const load = openLoader(db)
  // In the order of the last touch, each with the size it was counted with.
  const cached = new Map<string, { readonly trace: TraceState; readonly size: number }>()
  let cachedSpans = 0

  const drop = (key: string) => {
    cachedSpans -= cached.get(key)?.size ?? 0
    cached.delete(key)
  }
  return {
    find: (projectNo, traceId) =>
      cached.get(keyOf({ projectNo, traceId }))?.trace ?? load(projectNo, traceId),

    keep(traces) {
      for (const trace of traces) {
        const key = keyOf(trace)
        drop(key)
        cached.set(key, { trace, size: trace.spans.size })
        cachedSpans += trace.spans.size
      }
      for (const key of cached.keys()) {
        if (cachedSpans <= cachedSpansMax || cached.size === 1) return
        drop(key)
      }
    },

    invalidate(traces) {
      for (const trace of traces) drop(keyOf(trace))
    },
  }
}

type TraceStateRow = Parameters<typeof traceStateColumns.fromRow>[0]

function openLoader(db: DatabaseSync): TraceStates['find'] {
  const selectState = prepareRows(db, findTraceState)
  const selectSpans = prepareRows(db, spansOfTrace)
  const [last] = prepareRows(db, lastTraceNo).get() as unknown as [number]
  // A number is given out once: those of a transaction that failed stay unused until the next start.
  let nextTraceNo = last + 1

  return (projectNo, traceId) => {
    const row = selectState.get(projectNo, traceId) as unknown as TraceStateRow | undefined
    const spans = new Map<string, StoredSpanState>()
    if (row === undefined) {
      const traceNo = nextTraceNo++
      return { ...fresh, traceNo, projectNo, traceId, spans }
    }
    const { traceNo, labels, facetNos, startedAt } = traceStateColumns.fromRow(row)
    for (const spanRow of selectSpans.all(traceNo) as unknown as SpanRow[]) {
      const span = toCountedSpan(spanRow)
      spans.set(span.spanId, span)
    }
    const indexEntry = { facetNos, at: startedAt }
    const all = [...spans.values()]
    const rollupDelta = toRollupDelta(all, totalsOf(all, labels))
    return {
      ...{ ...fresh, traceNo, projectNo, traceId, spans, labels },
      ...{ indexEntry, rollupDelta, isStored: true },
    }
  }
}

const fresh = {
  labels: null,
  totals: null,
  rollupDelta: null,
  indexEntry: null,
  isStored: false,
} as const

function keyOf({ projectNo, traceId }: Pick<TraceState, 'projectNo' | 'traceId'>): string {
  return `${projectNo} ${traceId}`
}
