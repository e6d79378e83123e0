import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceFilters, TraceQuery } from '../store.ts'
import { prepareRows, rowsOf } from './database.ts'
import type { TraceRow } from './rows-read.ts'
import { openSearchReader } from './search/search-reader.ts'
import { endAlong, tracesAlong, type WayName } from './statements/trace-walks.ts'
import { type Bindings, openWays, type WayFilters, walkBindings } from './trace-ways.ts'

/*
 * The list of traces, and where a search leads to.
 */

export interface TraceLists {
  /** One trace more than was asked for where there are more. */
  page(projectId: string, query: ListQuery): TraceRow[]
  /** The newest that fit, as far as the bounds allow. */
  bounded(projectId: string, query: ListQuery, bounds: WalkBounds): BoundedTraces
}

interface WalkBounds {
  /** Traces that are gone by on the way, whether they fit or not. */
  readonly passedMax: number
  /** Of those that the other filters let through, how many are looked at for words. */
  readonly lookedMax: number
}

interface ListQuery extends Omit<TraceQuery, 'filters'> {
  readonly filters: WayFilters
}

export interface BoundedTraces {
  readonly traces: readonly TraceRow[]
  /** All that started since were looked at; undefined where all were, or the limit was met. */
  readonly scannedFrom: Instant | undefined
}

export function openTraceLists(db: DatabaseSync): TraceLists {
  const waysOf = openWays(db)
  const search = openSearchReader(db)
  const along = openAlong(db, tracesAlong)
  const end = openAlong(db, endAlong)
  const reached = (name: WayName, bindings: Bindings, skip: number): Instant | undefined => {
    if (skip === unbounded) return undefined
    const [beyond] = (end(name).get({ ...bindings, skip }) ?? []) as unknown as readonly string[]
    return beyond === undefined ? undefined : BigInt(beyond) + 1n
  }
  const find = (
    projectId: string,
    { filters, after, limit }: ListQuery,
    { passedMax, lookedMax }: WalkBounds,
  ): BoundedTraces => {
    const bounds = walkBindings(projectId, filters, after)
    const way = waysOf(projectId, filters, bounds)
    if (way === undefined) return nothing
    const bindings: Bindings = { ...bounds, ...way.bindings, limit: limit + 1 }
    if (filters.search === undefined) {
      const scannedFrom = reached(way.name, bindings, passedMax)
      const within = scannedFrom === undefined ? bindings : { ...bindings, from: scannedFrom }
      return { traces: rowsOf(along(way.name), within), scannedFrom }
    }
    const traceSearch = search.begin(projectId, filters.search)
    if (traceSearch === undefined) return nothing
    const few = traceSearch.candidateTraces()
    const { filterMatches } = traceSearch
    if (few === undefined) {
      const scannedFrom = reached(way.name, bindings, passedMax)
      const within = scannedFrom === undefined ? bindings : { ...bindings, from: scannedFrom }
      const walked = walk(along(way.name), within, { limit: limit + 1, lookedMax, filterMatches })
      return { ...walked, scannedFrom: walked.scannedFrom ?? scannedFrom }
    }
    const found = { ...bindings, traceNos: JSON.stringify(few) }
    return walk(along('byNumber'), found, { limit: limit + 1, lookedMax: unbounded, filterMatches })
  }
  return {
    page: (projectId, query) => find(projectId, query, noBounds).traces.slice(),
    bounded: find,
  }
}

/** A statement for each way, prepared for the first who needs it. */
export function openAlong(
  db: DatabaseSync,
  sqlOf: (name: WayName) => string,
): (name: WayName) => StatementSync {
  const prepared = new Map<WayName, StatementSync>()
  return (name) => {
    const statement = prepared.get(name) ?? prepareRows(db, sqlOf(name))
    statement.setAllowUnknownNamedParameters(true)
    prepared.set(name, statement)
    return statement
  }
}

const nothing: BoundedTraces = { traces: [], scannedFrom: undefined }

const unbounded = Number.POSITIVE_INFINITY
const noBounds: WalkBounds = { passedMax: unbounded, lookedMax: unbounded }

/** Traces looked at together for words. */
const firstWalk = 100
const longestWalk = 1600

interface Walk {
  readonly limit: number
  readonly lookedMax: number
  readonly filterMatches: (traces: readonly TraceRow[]) => TraceRow[]
}

/** Goes along the way until enough of the traces on it are met, or looked at. */
function walk(
  statement: StatementSync,
  bindings: Bindings,
  { limit, lookedMax, filterMatches }: Walk,
): BoundedTraces {
  const found: TraceRow[] = []
  let from = bindings
  let looked = 0
  for (let step = firstWalk; ; step = Math.min(step * 2, longestWalk)) {
    const traces: TraceRow[] = rowsOf(statement, { ...from, limit: step })
    found.push(...filterMatches(traces))
    looked += traces.length
    const last = traces.at(-1)
    if (last === undefined || traces.length < step) {
      return { traces: found.slice(0, limit), scannedFrom: undefined }
    }
    if (found.length >= limit || looked >= lookedMax) {
      // Of those that started with the last some may not have been looked at.
      return { traces: found.slice(0, limit), scannedFrom: BigInt(last[11]) + 1n }
    }
    from = { ...from, beforeStart: BigInt(last[11]), beforeId: last[0] }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
