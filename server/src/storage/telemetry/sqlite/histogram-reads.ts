import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import { bucketStart, bucketsWithin, type TimeBuckets } from '../../../domain/time-buckets.ts'
import { startOfHour, toHour } from '../aggregates/trace-rollup.ts'
import type { Histogram, HistogramBucket, HistogramQuery } from '../port/stats.ts'
import type { TraceFilters } from '../port/traces.ts'
import { prepareRows, readRows } from './database.ts'
import { type Bindings, boundBindings, openQueryPlanner, scanBindings } from './query-plans.ts'
import type { ReadLimits } from './read-limits.ts'
import { readHourCounts, toDimensionNos } from './statements/rollups.ts'
import { scanBoundary, scanCount, scanExtent } from './statements/trace-scans.ts'
import { readTracePosition, readTraceStatus } from './trace-columns.ts'
import { prepareScans, type TraceLists } from './trace-lists.ts'

/*
 * Traces over time. Whole hours are read from the rollups when there are no filters or only filters by a
 * dimension of the rollups. Everything else is counted from the traces, newest first, up to the scan limit.
 */

export interface HistogramReads {
  histogram(projectId: string, query: HistogramQuery): Histogram
}

/** Counts traces of one project by some filters. */
interface Countable {
  /** Undefined when there are none. */
  extent(bounds: Bounds): Extent | undefined
  count(buckets: TimeBuckets): Counts
}

type Bounds = Pick<TraceFilters, 'from' | 'to'>

interface Extent {
  /** The starts of the first and the last trace. */
  readonly first: Instant
  readonly last: Instant
  /** Set when there may be earlier ones. */
  readonly isTruncated?: boolean
}

interface Counts {
  readonly buckets: HistogramBucket[]
  /** Everything that started at this instant or later is counted; undefined when everything is. */
  readonly coverageStart?: Instant | undefined
}

interface Range {
  readonly from: Instant
  readonly to: Instant
  readonly isTruncated?: boolean
}

const nanosPerHour = 3_600_000_000_000n
/** Filters that are answered from the index of the list alone. */
const indexed = new Set(['from', 'to', 'status', 'mode', 'environment', 'source', 'service'])
/** Factors on the scan limit: more traces when only the index is read, fewer in a search. */
const indexOnlyFactor = 5
const searchFraction = 10

export function openHistogramReads(
  db: DatabaseSync,
  limits: ReadLimits,
  lists: TraceLists,
): HistogramReads {
  const hours = openHours(db)
  const scans = openScans(db, limits)
  return {
    histogram(projectId, query) {
      const { filters, maxBuckets, scanLimit, now } = query
      const rolledUp = hours(projectId, filters)
      const bounds = rolledUp && toRange(query, rolledUp)
      if (rolledUp !== undefined && bounds !== undefined) {
        const buckets = bucketsWithin(bounds.from, bounds.to, maxBuckets)
        if (buckets.widthNanos % nanosPerHour === 0n) return toHistogram(bounds, buckets, rolledUp)
      }
      const scanned =
        filters.search === undefined && filters.attributes === undefined
          ? scans(projectId, filters, scanLimit)
          : searched(lists, projectId, filters, scanLimit)
      const range = toRange(query, scanned) ?? { from: now, to: now + 1n }
      return toHistogram(range, bucketsWithin(range.from, range.to, maxBuckets), scanned)
    },
  }
}

function toHistogram(range: Range, buckets: TimeBuckets, { count }: Countable): Histogram {
  const { buckets: counted, coverageStart } = count(buckets)
  const isCounted = coverageStart === undefined || coverageStart <= buckets.from
  const whole = range.isTruncated === true ? range.from : buckets.from
  return {
    from: buckets.from,
    to: buckets.to,
    bucketNanos: buckets.widthNanos,
    buckets: counted,
    isComplete: isCounted && range.isTruncated !== true,
    coverageStart: latest(whole, coverageStart) ?? whole,
  }
}

/** Undefined when the range has no bounds and there are no traces. */
function toRange(
  { filters: { from, to }, now }: HistogramQuery,
  { extent }: Countable,
): Range | undefined {
  if (from !== undefined) return { from, to: to ?? (now > from ? now : from + 1n) }
  const found = extent(to === undefined ? {} : { to })
  if (found === undefined) return to === undefined ? undefined : { from: to - 1n, to }
  const { first, last, isTruncated = false } = found
  return { from: first, to: to ?? last + 1n, isTruncated }
}

/** Undefined for filters that rollups do not have. */
function openHours(
  db: DatabaseSync,
): (projectId: string, filters: TraceFilters) => Countable | undefined {
  const select = prepareRows(db, readHourCounts)
  return (projectId, filters) => {
    const { environment, status, mode, from: _, to: __, ...rest } = filters
    if (Object.values(rest).some((value) => value !== undefined)) return undefined
    // Rollups do not distinguish an empty environment from none.
    if (environment === '' || typeof environment === 'object') return undefined
    const dimensions = JSON.stringify(
      toDimensionNos(environment === undefined ? 'all' : 'environment', mode),
    )
    const rows = (from: number, to: number) =>
      readRows<readonly [hour: number, count: number, errors: number]>(select, {
        ...{ projectId, dimensions, value: environment ?? '', from, to },
      }).flatMap(([hour, all, errors]) => {
        const count = status === undefined ? all : status === 'ERROR' ? errors : all - errors
        return count === 0 ? [] : [{ hour, count, errors: status === 'OK' ? 0 : errors }]
      })
    return {
      extent({ from, to }) {
        const found = rows(
          from === undefined ? Number.MIN_SAFE_INTEGER : toHour(from),
          to === undefined ? Number.MAX_SAFE_INTEGER : toHour(to + nanosPerHour - 1n),
        )
        const [first, last] = [found[0], found.at(-1)]
        if (first === undefined || last === undefined) return undefined
        return { first: startOfHour(first.hour), last: startOfHour(last.hour + 1) - 1n }
      },
      count(buckets) {
        const found = rows(toHour(buckets.from), toHour(buckets.to))
        return {
          buckets: sumBuckets(
            found.map(({ hour, count, errors }) => ({
              startedAt: startOfHour(hour),
              count,
              errors,
            })),
            buckets,
          ),
        }
      },
    }
  }
}

/** Sums the counts, oldest first. */
function sumBuckets(counts: readonly HistogramBucket[], { widthNanos }: TimeBuckets) {
  const sums = new Map<Instant, HistogramBucket>()
  for (const { startedAt, count, errors } of counts) {
    const start = bucketStart(startedAt, widthNanos)
    const sum = sums.get(start)
    sums.set(start, {
      startedAt: start,
      count: count + (sum?.count ?? 0),
      errors: errors + (sum?.errors ?? 0),
    })
  }
  return [...sums.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
}

/** Counts with the query plan that examines the fewest traces, one bucket after the other. */
function openScans(
  db: DatabaseSync,
  { check }: ReadLimits,
): (projectId: string, filters: TraceFilters, scanLimit: number) => Countable {
  const planQuery = openQueryPlanner(db)
  const end = prepareScans(db, scanBoundary)
  const readExtent = prepareScans(db, scanExtent)
  const readCount = prepareScans(db, scanCount)
  return (projectId, filters, scanLimit) => {
    const all = scanBindings(projectId, filters)
    const plan = planQuery(projectId, filters, all)
    if (plan === undefined) return nothing
    const bindings: Bindings = { ...all, ...plan.bindings }
    const skip = isIndexOnly(filters) ? scanLimit * indexOnlyFactor : scanLimit
    const coverageStart = (bounds: Bindings): Instant | undefined => {
      const found = end(plan.name).get({ ...bindings, ...bounds, skip })
      const [boundary] = (found ?? []) as unknown as readonly string[]
      return boundary === undefined ? undefined : BigInt(boundary) + 1n
    }
    return {
      extent({ from, to }) {
        const scannedFrom = coverageStart(boundBindings(from, to))
        const bounds = boundBindings(latest(from, scannedFrom), to)
        const found = readExtent(plan.name).get({ ...bindings, ...bounds })
        const [first, last] = found as unknown as readonly [string | null, string | null]
        if (scannedFrom !== undefined) {
          return { first: scannedFrom, last: BigInt(last ?? scannedFrom), isTruncated: true }
        }
        return first === null || last === null
          ? undefined
          : { first: BigInt(first), last: BigInt(last) }
      },
      count({ from, to, widthNanos }) {
        const scannedFrom = coverageStart(boundBindings(from, to))
        const buckets: HistogramBucket[] = []
        const first = bucketStart(latest(from, scannedFrom) ?? from, widthNanos)
        for (let start = first; start < to; start += widthNanos) {
          check()
          const bounds = boundBindings(latest(start, scannedFrom), start + widthNanos)
          const found = readCount(plan.name).get({ ...bindings, ...bounds })
          const [count, errors] = found as unknown as readonly [number, number]
          if (count > 0) buckets.push({ startedAt: start, count, errors })
        }
        return { buckets, coverageStart: scannedFrom }
      },
    }
  }
}

const nothing: Countable = { extent: () => undefined, count: () => ({ buckets: [] }) }

function isIndexOnly({ excluded = {}, ...filters }: TraceFilters): boolean {
  return Object.entries({ ...filters, ...excluded }).every(
    ([key, value]) => value === undefined || indexed.has(key),
  )
}

function latest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  return instants.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a))
}

function searched(
  lists: TraceLists,
  projectId: string,
  filters: TraceFilters,
  scanLimit: number,
): Countable {
  const examinedMax = Math.max(1, Math.floor(scanLimit / searchFraction))
  const find = (bounds: Bounds) => {
    const query = { filters: { ...filters, ...bounds }, limit: examinedMax }
    const bounded = { scannedMax: scanLimit, examinedMax }
    const { traces, scannedFrom } = lists.bounded(projectId, query, bounded, (row) => ({
      startedAt: readTracePosition(row).startedAt,
      count: 1,
      errors: readTraceStatus(row) === 'ERROR' ? 1 : 0,
    }))
    return { counts: [...traces], scannedFrom }
  }
  return {
    extent(bounds) {
      const { counts, scannedFrom } = find(bounds)
      const [last, first] = [counts[0], counts.at(-1)]
      if (scannedFrom !== undefined) {
        return { first: scannedFrom, last: last?.startedAt ?? scannedFrom, isTruncated: true }
      }
      return first && last && { first: first.startedAt, last: last.startedAt }
    },
    count(buckets) {
      const { counts, scannedFrom } = find({ from: buckets.from, to: buckets.to })
      return { buckets: sumBuckets(counts, buckets), coverageStart: scannedFrom }
    },
  }
}
