import type { DatabaseSync } from 'node:sqlite'
import type { PriceableQuery, TraceCount, TraceCountQuery } from '../port/pricing.ts'
import type { At, PriceablePosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
import { type ModelReads, openModelReads } from './model-reads.ts'
import type { ReadLimits } from './read-limits.ts'
import { type PricedSpanRow, pricedSpanId } from './span-columns.ts'
import { countTracesInRange, spansToPrice, tracesToPrice } from './statements/pricing.ts'

/*
 * Reads for pricing, in a reader thread.
 */

export interface PriceReads {
  priceable(projectId: string, query: At<PriceablePosition, PriceableQuery>): PriceableRows
  readonly modelsUsed: ModelReads
  traceCount(projectId: string, query: TraceCountQuery): TraceCount
}

export interface PriceableRows {
  readonly spans: readonly (readonly [traceId: string, span: PricedSpanRow])[]
  readonly traceCount: number
  readonly next: PriceablePosition | undefined
}

/** The maximum number of traces that one page reads, however few spans they have. */
const tracesPerPage = 2000

type TraceColumns = readonly [traceNo: number, traceId: string, startedAt: string]

export function openPriceReads(
  db: DatabaseSync,
  limits: ReadLimits,
  inSnapshot: <T>(read: () => T) => T,
): PriceReads {
  const traces = prepareRows(db, tracesToPrice)
  const spans = prepareRows(db, spansToPrice)
  const readModels = openModelReads(db, limits)
  const count = prepareRows(db, countTracesInRange)

  const readSpans = (traceNo: number, afterSpanId: string, limit: number) =>
    readRows<PricedSpanRow>(spans, { traceNo, afterSpanId, limit })

  const priceable: PriceReads['priceable'] = (projectId, { range, limit, after }) => {
    const found: (readonly [string, PricedSpanRow])[] = []
    const from = after ?? { startedAt: range.from, traceId: '' }
    const rows: TraceColumns[] = readRows(traces, {
      projectId,
      afterStart: from.startedAt,
      afterId: from.traceId,
      to: range.to,
      limit: tracesPerPage,
    })
    let traceCount = 0
    for (const [traceNo, traceId, startedAt] of rows) {
      limits.check()
      const position = { startedAt: BigInt(startedAt), traceId }
      const isContinued = after?.traceId === traceId && after.startedAt === position.startedAt
      if (isContinued && after.spanId === null) continue
      const room = limit - found.length
      // One more than the page has room for, to see whether the trace is complete.
      const next = readSpans(traceNo, isContinued ? (after.spanId ?? '') : '', room + 1)
      const included = next.slice(0, room)
      for (const each of included) found.push([traceId, each])
      if (next.length > room) {
        return {
          spans: found,
          traceCount,
          next: { ...position, spanId: pricedSpanId(included.at(-1)!) },
        }
      }
      traceCount += 1
      if (found.length === limit)
        return { spans: found, traceCount, next: { ...position, spanId: null } }
    }
    const last = rows.length === tracesPerPage ? rows.at(-1) : undefined
    const next = last && { startedAt: BigInt(last[2]), traceId: last[1], spanId: null }
    return { spans: found, traceCount, next }
  }
  return {
    priceable: (projectId, query) => inSnapshot(() => priceable(projectId, query)),
    traceCount(projectId, { range, scanLimit }) {
      const bindings = { projectId, ...range, limit: scanLimit + 1 }
      const [[found] = [0]] = readRows<readonly [number]>(count, bindings)
      return { count: Math.min(found, scanLimit), isComplete: found <= scanLimit }
    },
    modelsUsed: (projectId, query) => inSnapshot(() => readModels(projectId, query)),
  }
}
