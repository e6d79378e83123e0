import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceLabels } from '../../../domain/span.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import { TraceAggregate } from './aggregates/trace-aggregate.ts'
import { type RollupHead, toRollupHead } from './aggregates/trace-rollup.ts'
import { prepareRows } from './database.ts'
import { type SpanRow, type StoredSpanState, toCountedSpan } from './span-columns.ts'
import { spansOfTrace } from './statements/spans.ts'
import { findTraceState, lastTraceNo } from './statements/traces.ts'
import { traceStateColumns } from './trace-columns.ts'

/*
 * The traces that the writer changes, with the part of their spans that totals depend on. The most recently
 * changed ones are cached, so that a trace that arrives span by span is not read again for each. The cache
 * has only what is stored: when a transaction fails, the traces that it changed are dropped.
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
  /** Its rollup delta as stored, with `spans.models`; null when not stored. */
  rollup: RollupHead | null
  /** As stored; null when not stored. */
  indexEntry: IndexEntry | null
  isStored: boolean
}

export interface TraceStates {
  /** The stored trace, or a new one for the caller to store. */
  find(projectNo: number, traceId: string): TraceState
  /** Caches traces that are now stored, and drops those changed longest ago. */
  cache(traces: Iterable<TraceState>): void
  invalidate(traces: Iterable<TraceState>): void
}

/** Enough for two traces of the maximum size, unless their texts are long. */
const cachedBytesMax = 192 * 1024 * 1024
/** What a cached trace and each of its spans take besides their texts. */
const traceBytes = 4000
const spanBytes = 550

export function openTraceStates(db: DatabaseSync): TraceStates {
  const load = openLoader(db)
  // In the order of the last change, each with its estimated size.
  const cached = new Map<string, { readonly trace: TraceState; readonly bytes: number }>()
  let cachedBytes = 0

  const drop = (key: string) => {
    cachedBytes -= cached.get(key)?.bytes ?? 0
    cached.delete(key)
  }
  return {
    find: (projectNo, traceId) =>
      cached.get(toKey({ projectNo, traceId }))?.trace ?? load(projectNo, traceId),

    cache(traces) {
      for (const trace of traces) {
        const key = toKey(trace)
        drop(key)
        const bytes = traceBytes + spanBytes * trace.spans.size + trace.spans.textLength
        cached.set(key, { trace, bytes })
        cachedBytes += bytes
      }
      for (const key of cached.keys()) {
        if (cachedBytes <= cachedBytesMax) return
        drop(key)
      }
    },

    invalidate(traces) {
      for (const trace of traces) drop(toKey(trace))
    },
  }
}

type TraceStateRow = Parameters<typeof traceStateColumns.fromRow>[0]

function openLoader(db: DatabaseSync): TraceStates['find'] {
  const selectState = prepareRows(db, findTraceState)
  const selectSpans = prepareRows(db, spansOfTrace)
  const [last] = prepareRows(db, lastTraceNo).get() as unknown as [number]
  // Numbers are not reused: those of a failed transaction stay unused until the next start.
  let nextTraceNo = last + 1

  return (projectNo, traceId) => {
    const row = selectState.get(projectNo, traceId) as unknown as TraceStateRow | undefined
    const spans = new TraceAggregate<StoredSpanState>()
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
    const rollup = toRollupHead(spans.totals(labels), spans.models.sums)
    spans.models.take()
    return {
      ...{ ...fresh, traceNo, projectNo, traceId, spans, labels },
      ...{ indexEntry, rollup, isStored: true },
    }
  }
}

const fresh = {
  labels: null,
  totals: null,
  rollup: null,
  indexEntry: null,
  isStored: false,
} as const

function toKey({ projectNo, traceId }: Pick<TraceState, 'projectNo' | 'traceId'>): string {
  return `${projectNo} ${traceId}`
}
