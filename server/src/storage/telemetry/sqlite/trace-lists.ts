import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { TraceFilters, TraceQuery } from '../port/traces.ts'
import { iterateRows, prepareRows, readRows } from './database.ts'
import { countFitting, textSize } from './page-bytes.ts'
import type { At, TimePosition } from './positions.ts'
import { type Bindings, openQueryPlanner, type PlanFilters, scanBindings } from './query-plans.ts'
import type { ReadLimits } from './read-limits.ts'
import { openSearchReader } from './search/search-reader.ts'
import { isInOrder, type PlanName, scanBoundary, scanTraces } from './statements/trace-scans.ts'
import { readTracePosition, type TraceRow } from './trace-columns.ts'

/*
 * The list of traces, and the newest traces that match filters.
 */

export interface TraceLists {
  /** At most `limit` traces, down to where the scan limit was reached. */
  page(projectId: string, query: ListQuery): TraceListPage
  /**
   * The newest matching traces within the limits, one more than `limit` if there are more, read one at a time: they may
   * not fit in memory.
   */
  bounded<Item>(
    projectId: string,
    query: ListQuery,
    bounds: ScanLimits,
    toItem: (row: TraceRow) => Item,
  ): BoundedTraces<Item>
}

export interface TraceListPage {
  readonly traces: readonly TraceRow[]
  /** Where the next page starts. */
  readonly next: TimePosition | undefined
  /** Set when the scan limit ended the page: it covers the traces that started at this instant or later. */
  readonly coverageStart: Instant | undefined
}

interface ScanLimits {
  /** Traces that the scan passes, matching or not. */
  readonly scannedMax: number
  /** Traces that match the other filters and are compared with the search. */
  readonly examinedMax: number
}

interface ListQuery extends Omit<At<TimePosition, TraceQuery>, 'filters'> {
  readonly filters: PlanFilters
}

export interface BoundedTraces<Item> {
  /** To be iterated once. */
  readonly traces: Iterable<Item>
  /** All traces that started at this instant or later were examined; undefined: all, or up to the limit. */
  readonly scannedFrom: Instant | undefined
}

const defaultScanLimit = 100_000
/** A comparison with a search takes about ten times as long as with other filters. */
const searchFraction = 10

/** Where a scan stopped before it had enough traces. */
interface Scanned<Item = TraceRow> {
  readonly traces: readonly Item[]
  readonly stoppedAt: TimePosition | undefined
}

/** How a query finds its traces. */
interface Scan {
  readonly statement: StatementSync
  readonly name: PlanName
  readonly bindings: Bindings
  /** Undefined without a search. */
  readonly filterMatches: ((traces: readonly TraceRow[]) => TraceRow[]) | undefined
}

export function openTraceLists(db: DatabaseSync, limits: ReadLimits): TraceLists {
  const findScan = openScans(db, limits)
  const boundary = prepareScans(db, scanBoundary)

  /** Runs a scan that passes about `max` traces at most. */
  const examine = ({ statement }: Scan, bindings: Bindings, max: number) => {
    const { result, stoppedAt, count } = limits.examine(max, () =>
      readRows<TraceRow>(statement, bindings),
    )
    if (result !== undefined) return { traces: result, coverageStart: undefined, count }
    // The rows were lost with the statement. These were all examined.
    const coverageStart = stoppedAt! + 1n
    const traces = readRows<TraceRow>(statement, { ...bindings, from: coverageStart })
    return { traces, coverageStart, count }
  }
  const page = (scan: Scan, limit: number, scanLimit: number): Scanned => {
    const { filterMatches, bindings } = scan
    if (filterMatches === undefined) {
      const { traces, coverageStart } = examine(scan, { ...bindings, limit }, scanLimit)
      return { traces, stoppedAt: toPosition(coverageStart) }
    }
    let remaining = scanLimit
    const step = (from: Bindings): Step => {
      const { traces, coverageStart, count } = examine(scan, from, remaining)
      remaining -= count
      return { traces, stoppedAt: toPosition(coverageStart) }
    }
    const examinedMax = Math.max(1, Math.floor(scanLimit / searchFraction))
    return searchSteps(step, bindings, { limit, examinedMax, filterMatches, toItem: (row) => row })
  }
  const bounded = <Item>(
    scan: Scan,
    limit: number,
    bounds: ScanLimits,
    toItem: (row: TraceRow) => Item,
  ): BoundedTraces<Item> => {
    const { statement, name, filterMatches } = scan
    const row = isInOrder(name)
      ? boundary(name).get({ ...scan.bindings, skip: bounds.scannedMax })
      : undefined
    const [last] = (row ?? []) as unknown as readonly string[]
    const scannedFrom = last === undefined ? undefined : BigInt(last) + 1n
    const bindings =
      scannedFrom === undefined ? scan.bindings : { ...scan.bindings, from: scannedFrom }
    if (filterMatches === undefined) {
      const rows = iterateRows<TraceRow>(statement, { ...bindings, limit })
      return { traces: Iterator.from(rows).map(toItem), scannedFrom }
    }
    const step = (from: Bindings): Step => ({
      traces: readRows<TraceRow>(statement, from),
      stoppedAt: undefined,
    })
    const examinedMax = isInOrder(name) ? bounds.examinedMax : Number.POSITIVE_INFINITY
    const search = { limit, examinedMax, filterMatches, toItem }
    const { traces, stoppedAt } = searchSteps(step, bindings, search)
    // Of the traces that started together with the last one, some may not have been examined.
    return { traces, scannedFrom: stoppedAt === undefined ? scannedFrom : stoppedAt.at + 1n }
  }
  return {
    page(projectId, query) {
      const { limit, scanLimit = defaultScanLimit } = query
      const scan = findScan(projectId, query)
      if (scan === undefined) return { traces: [], next: undefined, coverageStart: undefined }
      return toPage(page(scan, limit + 1, scanLimit), limit)
    },
    bounded(projectId, query, bounds, toItem) {
      const scan = findScan(projectId, query)
      if (scan === undefined) return { traces: [], scannedFrom: undefined }
      return bounded(scan, query.limit + 1, bounds, toItem)
    },
  }
}

/** The page of what was found, which is one more than `limit` if there are more. */
function toPage({ traces: found, stoppedAt }: Scanned, limit: number): TraceListPage {
  const traces = found.slice(0, countFitting(found, limit, textSize))
  const last = found.length > traces.length ? traces.at(-1) : undefined
  if (last === undefined)
    return { traces, next: stoppedAt, coverageStart: toCoverageStart(stoppedAt) }
  const { startedAt, traceId } = readTracePosition(last)
  return { traces, next: { at: startedAt, id: traceId }, coverageStart: undefined }
}

function toCoverageStart(stoppedAt: TimePosition | undefined): Instant | undefined {
  if (stoppedAt === undefined) return undefined
  return stoppedAt.id === '' ? stoppedAt.at : stoppedAt.at + 1n
}

/** The position before all traces that started at an instant. */
function toPosition(at: Instant | undefined): TimePosition | undefined {
  return at === undefined ? undefined : { at, id: '' }
}

/** Undefined: no trace can match. */
function openScans(
  db: DatabaseSync,
  limits: ReadLimits,
): (projectId: string, query: ListQuery) => Scan | undefined {
  const planQuery = openQueryPlanner(db)
  const search = openSearchReader(db, limits)
  const prepareScan = prepareScans(db, scanTraces)
  return (projectId, { filters, after }) => {
    const bounds = scanBindings(projectId, filters, after)
    const plan = planQuery(projectId, filters, bounds)
    if (plan === undefined) return undefined
    const { name } = plan
    const bindings: Bindings = { ...bounds, ...plan.bindings }
    if (filters.search === undefined) {
      return { statement: prepareScan(name), name, bindings, filterMatches: undefined }
    }
    const traceSearch = search.begin(projectId, filters.search)
    if (traceSearch === undefined) return undefined
    const few = traceSearch.candidateTraces()
    const { filterMatches } = traceSearch
    if (few === undefined) return { statement: prepareScan(name), name, bindings, filterMatches }
    const found = { ...bindings, traceNos: JSON.stringify(few) }
    return { statement: prepareScan('byNumber'), name: 'byNumber', bindings: found, filterMatches }
  }
}

/** One statement per plan, prepared when it is first needed. */
export function prepareScans(
  db: DatabaseSync,
  toSql: (name: PlanName) => string,
): (name: PlanName) => StatementSync {
  const prepared = new Map<PlanName, StatementSync>()
  return (name) => {
    const statement = prepared.get(name) ?? prepareRows(db, toSql(name))
    statement.setAllowUnknownNamedParameters(true)
    prepared.set(name, statement)
    return statement
  }
}

/** Traces that are compared with a search at a time. */
const firstBatch = 100
const maxBatch = 400

interface SearchOptions<Item> {
  readonly limit: number
  readonly examinedMax: number
  readonly filterMatches: (traces: readonly TraceRow[]) => TraceRow[]
  /** What is needed of a match. */
  readonly toItem: (row: TraceRow) => Item
}

/** The next traces that match the other filters, and where they end early. */
type Step = Scanned

/** Compares traces with a search, batch by batch, until enough match or enough were compared. */
function searchSteps<Item>(
  step: (bindings: Bindings) => Step,
  bindings: Bindings,
  { limit, examinedMax, filterMatches, toItem }: SearchOptions<Item>,
): Scanned<Item> {
  const found: Item[] = []
  let from = bindings
  let examined = 0
  for (let size = firstBatch; ; size = Math.min(size * 2, maxBatch)) {
    const { traces, stoppedAt } = step({ ...from, limit: size })
    found.push(...filterMatches(traces).map(toItem))
    examined += traces.length
    const last = traces.at(-1)
    if (stoppedAt !== undefined || last === undefined || traces.length < size) {
      return { traces: found.slice(0, limit), stoppedAt }
    }
    const { startedAt, traceId } = readTracePosition(last)
    if (found.length >= limit || examined >= examinedMax) {
      return { traces: found.slice(0, limit), stoppedAt: { at: startedAt, id: traceId } }
    }
    from = { ...from, beforeStart: startedAt, beforeId: traceId }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
