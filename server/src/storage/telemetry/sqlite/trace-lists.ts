import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { TraceFilters, TraceQuery } from '../store.ts'
import { prepareRows, rowsOf } from './database.ts'
import type { TraceRow } from './rows-read.ts'
import { openSearch } from './search/searching.ts'
import { tracesAlong, type WayName } from './statements/trace-walks.ts'
import { type Bindings, openWays, type WayFilters, walkBindings } from './trace-ways.ts'

/*
 * The list of traces, and where a search leads to.
 */

export interface TraceLists {
  /** One trace more than was asked for where there are more. */
  page(projectId: string, query: ListQuery): TraceRow[]
  /** Those that fit of the newest `lookedMax` that the other filters and bounds let through. */
  searched(projectId: string, filters: TraceFilters, lookedMax: number): SearchedTraces
}

interface ListQuery extends Omit<TraceQuery, 'filters'> {
  readonly filters: WayFilters
}

export interface SearchedTraces {
  readonly traces: readonly TraceRow[]
  /** The last that was looked at, where there may be more. */
  readonly stoppedAt: TraceRow | undefined
}

export function openTraceLists(db: DatabaseSync): TraceLists {
  const waysOf = openWays(db)
  const search = openSearch(db)
  const statements = new Map<WayName, StatementSync>()
  const along = (name: WayName) => {
    const statement = statements.get(name) ?? prepareRows(db, tracesAlong(name))
    statement.setAllowUnknownNamedParameters(true)
    statements.set(name, statement)
    return statement
  }
  const find = (
    projectId: string,
    { filters, after, limit, lookedMax }: ListQuery & { readonly lookedMax: number },
  ): SearchedTraces => {
    const bounds = walkBindings(projectId, filters, after)
    const way = waysOf(projectId, filters, bounds)
    if (way === undefined) return nothing
    const bindings: Bindings = { ...bounds, ...way.bindings, limit: limit + 1 }
    if (filters.search === undefined) {
      return { traces: rowsOf(along(way.name), bindings), stoppedAt: undefined }
    }
    const begun = search.begin(projectId, filters.search)
    if (begun === undefined) return nothing
    const few = begun.fewTraces()
    const { among } = begun
    if (few === undefined) {
      return walk(along(way.name), bindings, { limit: limit + 1, lookedMax, among })
    }
    const found = { ...bindings, traceNos: JSON.stringify(few) }
    return walk(along('byNumber'), found, { limit: limit + 1, lookedMax: unbounded, among })
  }
  return {
    page: (projectId, query) => find(projectId, { ...query, lookedMax: unbounded }).traces.slice(),
    searched: (projectId, filters, lookedMax) =>
      find(projectId, { filters, limit: lookedMax, lookedMax }),
  }
}

const nothing: SearchedTraces = { traces: [], stoppedAt: undefined }

const unbounded = Number.POSITIVE_INFINITY

/** Traces looked at together for words. */
const firstWalk = 100
const longestWalk = 1600

interface Walk {
  readonly limit: number
  readonly lookedMax: number
  readonly among: (traces: readonly TraceRow[]) => TraceRow[]
}

/** Goes along the way until enough of the traces on it are met, or looked at. */
function walk(
  statement: StatementSync,
  bindings: Bindings,
  { limit, lookedMax, among }: Walk,
): SearchedTraces {
  const found: TraceRow[] = []
  let from = bindings
  let looked = 0
  for (let step = firstWalk; ; step = Math.min(step * 2, longestWalk)) {
    const traces: TraceRow[] = rowsOf(statement, { ...from, limit: step })
    found.push(...among(traces))
    looked += traces.length
    const last = traces.at(-1)
    if (last === undefined || traces.length < step) {
      return { traces: found.slice(0, limit), stoppedAt: undefined }
    }
    if (found.length >= limit || looked >= lookedMax) {
      return { traces: found.slice(0, limit), stoppedAt: last }
    }
    from = { ...from, beforeStart: BigInt(last[11]), beforeId: last[0] }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
