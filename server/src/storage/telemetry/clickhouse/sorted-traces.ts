import { limits } from '@assay/contract/limits.ts'
import type { TraceOrder } from '@assay/contract/traces.ts'
import { compareIds } from '../../../domain/id-order.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Trace } from '../../../domain/span.ts'
import { InvalidCursor } from '../../../platform/failure.ts'
import { countFitting } from '../page-bytes.ts'
import type { Position } from '../port/position.ts'
import type { TracePage, TraceQuery } from '../port/traces.ts'
import { firstInstant, parseInstant64, parseObject } from '../positions.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { newestBoundary, sortedTraces } from './statements/sorted-traces.ts'
import { readTraceColumns, sizeOfTrace, toTrace } from './trace-columns.ts'
import { toCondition } from './trace-filters.ts'
import type { TraceLists } from './trace-lists.ts'

/*
 * The list of traces in another order than newest first: the newest matching ones are sorted by the engine, or here where
 * their attributes have to be compared.
 */

export interface SortedQuery extends Omit<TraceQuery, 'after'> {
  readonly order: TraceOrder
  readonly after?: SortedPosition
}

/** A trace by its rank, of which lower ones come first, in a list of those that started at an instant or later. */
interface SortedPosition {
  readonly rank: number
  readonly id: string
  readonly from: Instant | undefined
}

export type SortedPage = Pick<TracePage, 'traces' | 'next' | 'coverageStart'>

const defaultScanLimit = 50_000

export function openSortedTraces(connection: Connection, lists: TraceLists) {
  return async (
    projectId: string,
    query: SortedQuery,
    options: StatementOptions,
  ): Promise<SortedPage> => {
    const { limit, order, after, filters, scanLimit = defaultScanLimit } = query
    if (filters.attributes !== undefined)
      return await sortCompared(lists, projectId, query, options)
    const { text, parameters } = toCondition(filters)
    const ofProject = { ...parameters, project: projectId }
    const coverageStart =
      after === undefined ? await findBoundary(text, ofProject, scanLimit, options) : after.from
    const rows = await connection.rows(
      sortedTraces(order, text),
      {
        ...{ ...ofProject, since: coverageStart ?? firstInstant },
        ...{ afterRank: after?.rank ?? -Number.MAX_VALUE, afterId: after?.id ?? '' },
        limit: limit + 1,
      },
      options,
    )
    const traces = rows.map((row) => toTrace(projectId, row))
    const page = traces.slice(0, countFitting(traces, limit, sizeOfTrace))
    const last = rows[page.length - 1]
    const hasMore = last !== undefined && page.length < rows.length
    const next = hasMore
      ? encode({ rank: Number(last[rankColumn]), id: page.at(-1)!.traceId, from: coverageStart })
      : undefined
    return { traces: page, next, coverageStart }
  }

  /** From where on not more traces match than the limit; undefined if that is all. */
  async function findBoundary(
    condition: string,
    ofProject: Parameters,
    scanLimit: number,
    options: StatementOptions,
  ): Promise<Instant | undefined> {
    const parameters = { ...ofProject, skip: scanLimit }
    const [row] = await connection.rows(newestBoundary(condition), parameters, options)
    return row === undefined ? undefined : BigInt(String(row[0])) + 1n
  }
}

const rankColumn = readTraceColumns.count

/** Compares the attributes of the newest traces for each page. */
async function sortCompared(
  lists: TraceLists,
  projectId: string,
  { limit, order, after, filters, scanLimit = defaultScanLimit }: SortedQuery,
  options: StatementOptions,
): Promise<SortedPage> {
  const from = latest(filters.from, after?.from)
  const newest = await lists.page(
    projectId,
    { limit: limits.attributeTraces.value, scanLimit, filters: { ...filters, from } },
    options,
  )
  const scannedFrom = newest.coverageStart ?? (newest.next && newest.next.at + 1n)
  const coverageStart = scannedFrom ?? after?.from
  const ranked = newest.traces
    .map((trace) => ({ trace, rank: rankOf(order, trace), id: trace.traceId }))
    .filter((one) => after === undefined || compareRanks(one, after) > 0)
    .toSorted(compareRanks)
  const traces = ranked.slice(0, limit + 1).map(({ trace }) => trace)
  const page = traces.slice(0, countFitting(traces, limit, sizeOfTrace))
  const last = page.length < ranked.length ? ranked[page.length - 1] : undefined
  const next = last && encode({ rank: last.rank, id: last.id, from: coverageStart })
  return { traces: page, next, coverageStart }
}

function latest(one: Instant | undefined, other: Instant | undefined): Instant {
  const [first, second] = [one ?? firstInstant, other ?? firstInstant]
  return first > second ? first : second
}

type Ranked = Pick<SortedPosition, 'rank' | 'id'>

function compareRanks(one: Ranked, other: Ranked): number {
  return one.rank - other.rank || compareIds(one.id, other.id)
}

/** As the engine ranks it. */
function rankOf(order: TraceOrder, trace: Trace): number {
  const sizes = {
    started: Number(trace.startedAt),
    duration: Number(trace.endedAt - trace.startedAt),
    cost: trace.costUsd,
    tokens: trace.tokensIn + trace.tokensOut,
    errors: trace.errorCount,
  }
  const size = sizes[order.replace('-', '') as keyof typeof sizes]
  if (size === null) return Number.MAX_VALUE
  return order.startsWith('-') ? -size : size
}

export function decodeSortedAfter({
  after,
  ...query
}: TraceQuery & Pick<SortedQuery, 'order'>): SortedQuery {
  return after === undefined ? query : { ...query, after: decode(after) }
}

function encode({ rank, id, from }: SortedPosition): Position {
  return JSON.stringify({ rank, id, from: from === undefined ? null : String(from) })
}

function decode(position: Position): SortedPosition {
  const { rank, id, from } = parseObject(position)
  if (typeof rank !== 'number' || typeof id !== 'string') throw new InvalidCursor()
  if (from === null) return { rank, id, from: undefined }
  if (typeof from !== 'string') throw new InvalidCursor()
  return { rank, id, from: parseInstant64(from) }
}
