import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { limits as contractLimits } from '@assay/contract/limits.ts'
import type { Instant } from '../../../domain/instant.ts'
import { countFitting, textSize } from '../page-bytes.ts'
import type { TraceFilters, TraceQuery } from '../port/traces.ts'
import type { At, TimePosition } from '../positions.ts'
import { type AttributeComparison, openAttributeReader } from './attribute-reader.ts'
import { iterateRows, prepareRows, readRows } from './database.ts'
import { type Bindings, openQueryPlanner, type PlanFilters, scanBindings } from './query-plans.ts'
import type { ReadLimits } from './read-limits.ts'
import { openSearchReader, type Search } from './search/search-reader.ts'
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
/** A comparison with a search or with attributes takes about ten times as long as with other filters. */
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
  /** Undefined where the statement compares all filters. */
  readonly compare: Compare | undefined
  /** How many traces it may compare. */
  readonly comparedMax: number
}

/** Compares traces with filters that the statement cannot compare. */
type Compare = (traces: readonly TraceRow[]) => Compared

interface Compared {
  readonly matches: readonly TraceRow[]
  /** Fewer than given if it has to end. */
  readonly count: number
}

export function openTraceLists(db: DatabaseSync, limits: ReadLimits): TraceLists {
  const findScan = openScans(db, limits)
  const boundary = prepareScans(db, scanBoundary)

  const examine = openExamination(limits)
  const page = (scan: Scan, limit: number, scanLimit: number): Scanned => {
    const { compare, comparedMax, bindings } = scan
    if (compare === undefined) {
      const { traces, coverageStart } = examine(scan, { ...bindings, limit }, scanLimit)
      return { traces, stoppedAt: toPosition(coverageStart) }
    }
    let remaining = scanLimit
    const step = (from: Bindings): Step => {
      const { traces, coverageStart, count } = examine(scan, from, remaining)
      remaining -= count
      return { traces, stoppedAt: toPosition(coverageStart) }
    }
    const examinedMax = Math.min(comparedMax, Math.max(1, Math.floor(scanLimit / searchFraction)))
    return searchSteps(step, bindings, { limit, examinedMax, compare, toItem: (row) => row })
  }
  const bounded = <Item>(
    scan: Scan,
    limit: number,
    bounds: ScanLimits,
    toItem: (row: TraceRow) => Item,
  ): BoundedTraces<Item> => {
    const { statement, name, compare, comparedMax } = scan
    const row = isInOrder(name)
      ? boundary(name).get({ ...scan.bindings, skip: bounds.scannedMax })
      : undefined
    const [last] = (row ?? []) as unknown as readonly string[]
    const scannedFrom = last === undefined ? undefined : BigInt(last) + 1n
    const bindings =
      scannedFrom === undefined ? scan.bindings : { ...scan.bindings, from: scannedFrom }
    if (compare === undefined) {
      const rows = iterateRows<TraceRow>(statement, { ...bindings, limit })
      return { traces: Iterator.from(rows).map(toItem), scannedFrom }
    }
    const step = (from: Bindings): Step => ({
      traces: readRows<TraceRow>(statement, from),
      stoppedAt: undefined,
    })
    const examinedMax = Math.min(
      comparedMax,
      isInOrder(name) ? bounds.examinedMax : Number.POSITIVE_INFINITY,
    )
    const search = { limit, examinedMax, compare, toItem }
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

/** Runs scans that pass about `max` traces at most. */
function openExamination(limits: ReadLimits) {
  return ({ statement }: Scan, bindings: Bindings, max: number) => {
    const { result, stoppedAt, count } = limits.examine(max, () =>
      readRows<TraceRow>(statement, bindings),
    )
    if (result !== undefined) return { traces: result, coverageStart: undefined, count }
    // The rows were lost with the statement. These were all examined.
    const coverageStart = stoppedAt! + 1n
    const traces = readRows<TraceRow>(statement, { ...bindings, from: coverageStart })
    return { traces, coverageStart, count }
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
  const attributes = openAttributeReader(db, limits)
  const prepareScan = prepareScans(db, scanTraces)
  return (projectId, { filters, after }) => {
    const bounds = scanBindings(projectId, filters, after)
    const plan = planQuery(projectId, filters, bounds)
    if (plan === undefined) return undefined
    const bindings: Bindings = { ...bounds, ...plan.bindings }
    const ofAttributes = filters.attributes && attributes.begin(filters.attributes)
    const comparedMax =
      ofAttributes === undefined ? Number.POSITIVE_INFINITY : contractLimits.attributeTraces.value
    const toScan = (name: PlanName, found: Bindings, ofWords?: Search): Scan => ({
      ...{ statement: prepareScan(name), name, bindings: { ...bindings, ...found }, comparedMax },
      compare: ofWords || ofAttributes ? openCompare(ofWords, ofAttributes) : undefined,
    })
    if (filters.search === undefined) return toScan(plan.name, {})
    const traceSearch = search.begin(projectId, filters.search)
    if (traceSearch === undefined) return undefined
    const few = traceSearch.candidateTraces()
    if (few === undefined) return toScan(plan.name, {}, traceSearch)
    return toScan('byNumber', { traceNos: JSON.stringify(few) }, traceSearch)
  }
}

function openCompare(
  search: Search | undefined,
  attributes: AttributeComparison | undefined,
): Compare {
  return (traces) => {
    const found = search?.filterMatches(traces) ?? traces
    if (attributes === undefined) return { matches: found, count: traces.length }
    const matches: TraceRow[] = []
    for (const trace of found) {
      if (attributes.matches(trace)) matches.push(trace)
      if (attributes.isSpent()) return { matches, count: traces.indexOf(trace) + 1 }
    }
    return { matches, count: traces.length }
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

/** Traces that are compared at a time. */
const firstBatch = 100
const maxBatch = 400

interface SearchOptions<Item> {
  readonly limit: number
  readonly examinedMax: number
  readonly compare: Compare
  /** What is needed of a match. */
  readonly toItem: (row: TraceRow) => Item
}

/** The next traces that match the other filters, and where they end early. */
type Step = Scanned

/** Compares traces, batch by batch, until enough match or enough were compared. */
function searchSteps<Item>(
  step: (bindings: Bindings) => Step,
  bindings: Bindings,
  { limit, examinedMax, compare, toItem }: SearchOptions<Item>,
): Scanned<Item> {
  const found: Item[] = []
  let from = bindings
  let examined = 0
  for (let size = firstBatch; ; size = Math.min(size * 2, maxBatch)) {
    const { traces, stoppedAt } = step({ ...from, limit: size })
    const { matches, count } = compare(traces)
    found.push(...matches.map(toItem))
    examined += count
    const last = traces[count - 1]
    const isEnd = stoppedAt !== undefined || traces.length < size
    if (last === undefined || (isEnd && count === traces.length)) {
      return { traces: found.slice(0, limit), stoppedAt }
    }
    const { startedAt, traceId } = readTracePosition(last)
    if (found.length >= limit || examined >= examinedMax || count < traces.length) {
      return { traces: found.slice(0, limit), stoppedAt: { at: startedAt, id: traceId } }
    }
    from = { ...from, beforeStart: startedAt, beforeId: traceId }
  }
}

export function isFiltered(filters: TraceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
