import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { countFitting, textSize } from '../page-bytes.ts'
import type { TraceQuery } from '../port/traces.ts'
import type { At, SortedPosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
import { tracesByNumber } from './statements/traces.ts'
import { readTraceNo, readTraceSizes, type TraceRow } from './trace-columns.ts'
import type { TraceLists } from './trace-lists.ts'

/*
 * The list of traces in another order than newest first: no index has it, so that the newest matching traces are read
 * and sorted.
 */

export type SortedQuery = At<SortedPosition, TraceQuery> & Required<Pick<TraceQuery, 'order'>>

export interface SortedTracePage {
  readonly traces: readonly TraceRow[]
  readonly next: SortedPosition | undefined
  /** Set if earlier traces were not sorted. */
  readonly coverageStart: Instant | undefined
}

/** A trace to sort, by a number of which lower ones come first. */
interface Ranked {
  readonly value: number
  readonly traceNo: number
}

/** As many as the scan passes. */
const noLimit = 2 ** 40
const defaultScanLimit = 50_000

export function openSortedTraces(
  db: DatabaseSync,
  lists: TraceLists,
): (projectId: string, query: SortedQuery) => SortedTracePage {
  const byNumber = prepareRows(db, tracesByNumber)
  return (projectId, query) => {
    const { limit, order, after, filters, scanLimit = defaultScanLimit } = query
    const from = latest(filters.from, after?.from)
    const { traces, scannedFrom } = lists.bounded(
      projectId,
      { limit: noLimit, filters: { ...filters, ...(from !== undefined && { from }) } },
      // A comparison with a search takes about ten times as long as with other filters.
      { scannedMax: scanLimit, examinedMax: Math.max(1, Math.floor(scanLimit / 10)) },
      (row): Ranked => ({ value: rankBy(order, row), traceNo: readTraceNo(row) }),
    )
    const isAfter = (one: Ranked) => after === undefined || compareRanks(one, after) > 0
    const sorted = [...traces].filter(isAfter).sort(compareRanks)
    const coverageStart = scannedFrom ?? after?.from
    const listed = sorted.slice(0, limit + 1)
    const rows = readRows<TraceRow>(byNumber, {
      projectId,
      traceNos: JSON.stringify(listed.map(({ traceNo }) => traceNo)),
    })
    const rowOf = new Map(rows.map((row) => [readTraceNo(row), row]))
    // In the same snapshot, so that every trace is there.
    const found = listed.map(({ traceNo }) => rowOf.get(traceNo)!)
    const page = found.slice(0, countFitting(found, limit, textSize))
    const last = listed[page.length - 1]
    const hasMore = last !== undefined && page.length < listed.length
    const next = hasMore ? { ...last, from: coverageStart } : undefined
    return { traces: page, next, coverageStart }
  }
}

function latest(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

/** The newest of equal ones first. */
function compareRanks(one: Ranked, other: Ranked): number {
  return one.value === other.value ? other.traceNo - one.traceNo : one.value < other.value ? -1 : 1
}

function rankBy(order: SortedQuery['order'], row: TraceRow): number {
  const { startedAt, endedAt, costUsd, tokensIn, tokensOut, errorCount } = readTraceSizes(row)
  const sizes = {
    started: Number(startedAt),
    duration: Number(endedAt - startedAt),
    cost: costUsd,
    tokens: tokensIn + tokensOut,
    errors: errorCount,
  }
  const size = sizes[order.replace('-', '') as keyof typeof sizes]
  // Unknown costs come last in both directions.
  return size === null ? Number.MAX_VALUE : order.startsWith('-') ? -size : size
}
