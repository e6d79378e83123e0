import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceFilters, TraceQuery } from '../port/traces.ts'
import { prepareRows, rowsOf } from './database.ts'
import type { At, TimePosition } from './positions.ts'
import { type Bindings, openQueryPlanner, type PlanFilters, scanBindings } from './query-plans.ts'
import type { ReadLimits } from './read-limits.ts'
import { openSearchReader } from './search/search-reader.ts'
import { type PlanName, scanBoundary, scanTraces } from './statements/trace-scans.ts'
import { type TraceRow, tracePositionOf } from './trace-columns.ts'

/*
 * The list of traces, and where a search leads to.
 */

export interface TraceLists {
  /** One trace more than was asked for where there are more. */
  page(projectId: string, query: ListQuery): TraceRow[]
  /** The newest that fit, as far as the bounds allow. */
  bounded(projectId: string, query: ListQuery, bounds: ScanLimits): BoundedTraces
}

interface ScanLimits {
  /** Traces that are gone by on the way, whether they fit or not. */
  readonly scannedMax: number
  /** Of those that the other filters let through, how many are looked at for words. */
  readonly examinedMax: number
}

interface ListQuery extends Omit<At<TimePosition, TraceQuery>, 'filters'> {
  readonly filters: PlanFilters
}

export interface BoundedTraces {
  readonly traces: readonly TraceRow[]
  /** All that started since were looked at; undefined where all were, or the limit was met. */
  readonly scannedFrom: Instant | undefined
}

export function openTraceLists(db: DatabaseSync, limits: ReadLimits): TraceLists {
  const planQuery = openQueryPlanner(db)
  const search = openSearchReader(db, limits)
  const prepareScan = prepareScans(db, scanTraces)
  const end = prepareScans(db, scanBoundary)
  const findBoundary = (name: PlanName, bindings: Bindings, skip: number): Instant | undefined => {
    if (skip === unbounded) return undefined
    const [boundary] = (end(name).get({ ...bindings, skip }) ?? []) as unknown as readonly string[]
    return boundary === undefined ? undefined : BigInt(boundary) + 1n
  }
  const find = (
    projectId: string,
    { filters, after, limit }: ListQuery,
    { scannedMax, examinedMax }: ScanLimits,
  ): BoundedTraces => {
    const bounds = scanBindings(projectId, filters, after)
    const plan = planQuery(projectId, filters, bounds)
    if (plan === undefined) return nothing
    const bindings: Bindings = { ...bounds, ...plan.bindings, limit: limit + 1 }
    if (filters.search === undefined) {
      const scannedFrom = findBoundary(plan.name, bindings, scannedMax)
      const within = scannedFrom === undefined ? bindings : { ...bindings, from: scannedFrom }
      return { traces: rowsOf(prepareScan(plan.name), within), scannedFrom }
    }
    const traceSearch = search.begin(projectId, filters.search)
    if (traceSearch === undefined) return nothing
    const few = traceSearch.candidateTraces()
    const { filterMatches } = traceSearch
    if (few === undefined) {
      const scannedFrom = findBoundary(plan.name, bindings, scannedMax)
      const within = scannedFrom === undefined ? bindings : { ...bindings, from: scannedFrom }
      const scanned = scan(prepareScan(plan.name), within, {
        limit: limit + 1,
        examinedMax,
        filterMatches,
      })
      return { ...scanned, scannedFrom: scanned.scannedFrom ?? scannedFrom }
    }
    const found = { ...bindings, traceNos: JSON.stringify(few) }
    return scan(prepareScan('byNumber'), found, {
      limit: limit + 1,
      examinedMax: unbounded,
      filterMatches,
    })
  }
  return {
    page: (projectId, query) => find(projectId, query, noBounds).traces.slice(),
    bounded: find,
  }
}

/** A statement for each way, prepared for the first who needs it. */
export function prepareScans(
  db: DatabaseSync,
  sqlOf: (name: PlanName) => string,
): (name: PlanName) => StatementSync {
  const prepared = new Map<PlanName, StatementSync>()
  return (name) => {
    const statement = prepared.get(name) ?? prepareRows(db, sqlOf(name))
    statement.setAllowUnknownNamedParameters(true)
    prepared.set(name, statement)
    return statement
  }
}

const nothing: BoundedTraces = { traces: [], scannedFrom: undefined }

const unbounded = Number.POSITIVE_INFINITY
const noBounds: ScanLimits = { scannedMax: unbounded, examinedMax: unbounded }

/** Traces looked at together for words. */
const firstBatch = 100
const maxBatch = 1600

interface ScanOptions {
  readonly limit: number
  readonly examinedMax: number
  readonly filterMatches: (traces: readonly TraceRow[]) => TraceRow[]
}

/** Goes along the way until enough of the traces on it are met, or looked at. */
function scan(
  statement: StatementSync,
  bindings: Bindings,
  { limit, examinedMax, filterMatches }: ScanOptions,
): BoundedTraces {
  const found: TraceRow[] = []
  let from = bindings
  let examined = 0
  for (let step = firstBatch; ; step = Math.min(step * 2, maxBatch)) {
    const traces: TraceRow[] = rowsOf(statement, { ...from, limit: step })
    found.push(...filterMatches(traces))
    examined += traces.length
    const last = traces.at(-1)
    if (last === undefined || traces.length < step) {
      return { traces: found.slice(0, limit), scannedFrom: undefined }
    }
    const { startedAt, traceId } = tracePositionOf(last)
    if (found.length >= limit || examined >= examinedMax) {
      // Of those that started with the last some may not have been looked at.
      return { traces: found.slice(0, limit), scannedFrom: startedAt + 1n }
    }
    from = { ...from, beforeStart: startedAt, beforeId: traceId }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
