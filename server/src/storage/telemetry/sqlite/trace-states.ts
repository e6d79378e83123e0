import type { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceLabels } from '../../../domain/span.ts'
import { TraceAggregate } from '../../../domain/trace-aggregate.ts'
import { type RollupHead, toRollupHead } from '../../../domain/trace-rollup.ts'
import type { TraceTotals } from '../../../domain/trace-totals.ts'
import { prepareRows } from './database.ts'
import { type SpanRow, type StoredSpanState, toCountedSpan } from './span-columns.ts'
import { spansOfTrace } from './statements/spans.ts'
import { findTraceState, lastTraceNo } from './statements/traces.ts'
import { traceStateColumns } from './trace-columns.ts'

/*
 * The traces that the writer changes, with the part of their spans that totals depend on. Those changed last are
 * cached, so that a trace that arrives span by span is not read again for each. The cache only has what is stored: when
 * a transaction fails, the traces that it changed are dropped.
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
  /** As last written; null where that is unknown. */
  totals: TraceTotals | null
  /** What it adds to rollups as stored, with `spans.models`; null while it is not. */
  rollup: RollupHead | null
  /** As stored; null while it is not. */
  indexEntry: IndexEntry | null
  isStored: boolean
}

export interface TraceStates {
  /** The trace as stored, or a new one that the caller is to store. */
  find(projectNo: number, traceId: string): TraceState
  /** Caches traces that are now as stored, and drops those that were changed longest ago. */
  keep(traces: Iterable<TraceState>): void
  invalidate(traces: Iterable<TraceState>): void
}

/** Two traces as large as they can be: about 130 MB. */
const cachedSpansMax = 2 * limits.spansPerTrace.value

export function openTraceStates(db: DatabaseSync): TraceStates {
  const load = openLoader(db)
  // In the order of the last change, each with the size that it was counted with.
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
        if (cachedSpans <= cachedSpansMax) return
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

function keyOf({ projectNo, traceId }: Pick<TraceState, 'projectNo' | 'traceId'>): string {
  return `${projectNo} ${traceId}`
}
