import type { TraceOrder } from '@assay/contract/traces.ts'
import type { Instant } from '../../../domain/instant.ts'
import { InvalidCursor } from '../../../platform/failure.ts'
import { countFitting } from '../page-bytes.ts'
import type { Position } from '../port/position.ts'
import type { TracePage, TraceQuery } from '../port/traces.ts'
import { firstInstant, parseInstant64, parseObject } from '../positions.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { newestBoundary, sortedTraces } from './statements/sorted-traces.ts'
import { readTraceColumns, sizeOfTrace, toTrace } from './trace-columns.ts'
import { toCondition } from './trace-filters.ts'

/*
 * The list of traces in another order than newest first: the matching ones among the newest are sorted by the engine.
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

export function openSortedTraces(connection: Connection) {
  return async (
    projectId: string,
    { limit, order, after, filters, scanLimit = defaultScanLimit }: SortedQuery,
    options: StatementOptions,
  ): Promise<SortedPage> => {
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
