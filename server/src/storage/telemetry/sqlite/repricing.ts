import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { SpanRef, SpanRepricing } from '../port/pricing.ts'
import type { Steps } from '../steps.ts'
import { prepareRows } from './database.ts'
import { findSpanVersion, repriceSpan } from './statements/pricing.ts'
import type { TraceState, TraceStates } from './trace-states.ts'
import type { Transaction } from './transactions.ts'
import type { Writing } from './write-statements.ts'

/*
 * Changes the prices of spans, trace by trace.
 */

export interface Repricing {
  readonly projectId: string
  readonly prices: readonly SpanRepricing[]
}

export interface Repriced {
  readonly traceIds: readonly string[]
  readonly spans: readonly SpanRef[]
}

export function prepareRepricing(
  db: DatabaseSync,
  states: TraceStates,
  writing: Writing,
  transaction: Transaction,
): (repricing: Repricing, at: Instant) => Steps<Repriced> {
  const { addPrices, writePrices } = prepareSpanPrices(db)

  const repriceSmall = (
    projectNo: number,
    prices: ReadonlyMap<string, readonly SpanRepricing[]>,
    at: Instant,
  ) => {
    const touched: TraceState[] = []
    return transaction(touched, () =>
      [...prices].flatMap(([traceId, own]) => {
        const trace = states.find(projectNo, traceId)
        if (trace === undefined || !trace.isStored) return []
        touched.push(trace)
        const changed = addPrices(trace, own)
        writePrices(trace, changed)
        if (changed.length > 0) writing.putTrace(trace, at)
        return changed
      }),
    )
  }
  const repriceLarge = function* (
    projectNo: number,
    traceId: string,
    prices: readonly SpanRepricing[],
    at: Instant,
  ): Steps<SpanRef[]> {
    const trace = yield* states.take(projectNo, traceId)
    try {
      const changed = addPrices(trace, prices)
      yield* trace.spans.update()
      return transaction([trace], () => {
        writePrices(trace, changed)
        writing.putTrace(trace, at)
        return changed
      })
    } catch (error) {
      states.invalidate([trace])
      throw error
    }
  }
  return function* ({ projectId, prices }, at) {
    const projectNo = writing.findProjectNo(projectId)
    if (projectNo === undefined) return { traceIds: [], spans: [] }
    const byTrace = Map.groupBy(prices, ({ traceId }) => traceId)
    const large = new Map<string, SpanRepricing[]>()
    for (const [traceId, own] of byTrace) {
      if (states.find(projectNo, traceId) === undefined) large.set(traceId, own)
    }
    for (const traceId of large.keys()) byTrace.delete(traceId)
    const changed: SpanRef[] = repriceSmall(projectNo, byTrace, at)
    for (const [traceId, own] of large) {
      yield
      changed.push(...(yield* repriceLarge(projectNo, traceId, own, at)))
    }
    const spans = changed.map(({ traceId, spanId }) => ({ traceId, spanId }))
    return { traceIds: [...new Set(spans.map(({ traceId }) => traceId))], spans }
  }
}

function prepareSpanPrices(db: DatabaseSync) {
  const findVersion = prepareRows(db, findSpanVersion)
  const update = db.prepare(repriceSpan)
  return {
    /** Sets the prices in the state of the trace. Returns those whose spans still have the version. */
    addPrices({ traceNo, spans }: TraceState, prices: readonly SpanRepricing[]): SpanRepricing[] {
      const changed = new Map<string, SpanRepricing>()
      for (const each of prices) {
        const { spanId, version, price } = each
        const known = spans.get(spanId)
        const row = findVersion.get(traceNo, spanId) as unknown as [string] | undefined
        if (known === undefined || row?.[0] !== version || changed.has(spanId)) continue
        changed.set(spanId, each)
        spans.set(spanId, { ...known, costUsd: price.computedCostUsd })
      }
      return [...changed.values()]
    },

    writePrices({ traceNo }: TraceState, prices: readonly SpanRepricing[]): void {
      for (const { spanId, price } of prices) {
        const { computedCostUsd: costUsd, priceSource, priceDate, unpricedReason } = price
        update.run({
          ...{ traceNo, spanId, costUsd, computedCostUsd: costUsd },
          ...{ costSource: costUsd === null ? 'unknown' : 'priced' },
          ...{ priceSource, priceDate, unpricedReason },
        })
      }
    },
  }
}
