import type { Instant } from '../../../domain/instant.ts'
import { bucketStart, bucketsWithin, type TimeBuckets } from '../../../domain/time-buckets.ts'
import type { Histogram, HistogramBucket, HistogramQuery } from '../port/stats.ts'
import type { TraceFilters } from '../port/traces.ts'
import { lastInstant, toStoredInstant } from '../positions.ts'
import type { Connection, StatementOptions } from './connection.ts'
import { countsOfTraces, extentOfTraces } from './statements/stats.ts'
import { toCondition } from './trace-filters.ts'
import type { TraceLists } from './trace-lists.ts'

/*
 * Traces over time. The engine counts all that match; only the attributes are compared trace by trace, up to their limit.
 */

type Bounds = Pick<TraceFilters, 'from' | 'to'>

/** Counts traces of one project by some filters. */
interface Countable {
  /** The starts of the first and the last one; undefined when there are none. */
  extent(bounds: Bounds): Promise<Extent | undefined>
  count(buckets: TimeBuckets): Promise<Counts>
}

interface Extent {
  readonly first: Instant
  readonly last: Instant
  /** Set when there may be earlier ones. */
  readonly isTruncated?: boolean
}

interface Counts {
  readonly buckets: readonly HistogramBucket[]
  /** Everything that started then or later is counted; undefined when everything is. */
  readonly coverageStart?: Instant | undefined
}

export async function readHistogram(
  connection: Connection,
  lists: TraceLists,
  projectId: string,
  query: HistogramQuery,
  options: StatementOptions,
): Promise<Histogram> {
  const { filters, maxBuckets, now } = query
  const countable =
    filters.attributes === undefined
      ? countedByEngine(connection, projectId, filters, options)
      : countedInList(lists, projectId, query, options)
  const range = (await toRange(query, countable)) ?? { from: now, to: now + 1n }
  const buckets = bucketsWithin(range.from, range.to, maxBuckets)
  const { buckets: counted, coverageStart } = await countable.count(buckets)
  const whole = range.isTruncated === true ? range.from : buckets.from
  const isCounted = coverageStart === undefined || coverageStart <= buckets.from
  return {
    ...{ from: buckets.from, to: buckets.to, bucketNanos: buckets.widthNanos, buckets: counted },
    isComplete: isCounted && range.isTruncated !== true,
    coverageStart: coverageStart !== undefined && coverageStart > whole ? coverageStart : whole,
  }
}

/** Undefined when the range has no bounds and there are no traces. */
async function toRange({ filters: { from, to }, now }: HistogramQuery, { extent }: Countable) {
  if (from !== undefined) return { from, to: to ?? (now > from ? now : from + 1n) }
  const found = await extent(to === undefined ? {} : { to })
  if (found === undefined) return to === undefined ? undefined : { from: to - 1n, to }
  const { first, last, isTruncated = false } = found
  return { from: first, to: to ?? last + 1n, isTruncated }
}

function countedByEngine(
  connection: Connection,
  projectId: string,
  { from: _from, to: _to, ...filters }: TraceFilters,
  options: StatementOptions,
): Countable {
  return {
    async extent(bounds) {
      const { text, parameters } = toCondition({ ...filters, ...bounds })
      const all = { project: projectId, ...parameters }
      const [row] = await connection.rows(extentOfTraces(text), all, options)
      const [first, last, count] = row ?? []
      if (Number(count) === 0) return undefined
      return { first: BigInt(String(first)), last: BigInt(String(last)) }
    },
    async count({ from, to, widthNanos }) {
      const { text, parameters } = toCondition(filters)
      const range = { from: toStoredInstant(from), to: toStoredInstant(to) }
      // Buckets of weeks do not begin at multiples of their width: this is the first start from 1970 on.
      const offset = bucketStart(widthNanos - 1n, widthNanos)
      // Of a bucket that is wider than the engine can count, it returns an instant in it.
      const width = widthNanos > lastInstant ? lastInstant : widthNanos
      const all = { project: projectId, ...parameters, ...range, offset, width }
      const rows = await connection.rows(countsOfTraces(text), all, options)
      const buckets = rows.map(([start, count, errors]) => ({
        startedAt: bucketStart(BigInt(String(start)), widthNanos),
        ...{ count: Number(count), errors: Number(errors) },
      }))
      return { buckets }
    },
  }
}

/** A comparison takes about ten times as long as with other filters. */
const comparedFraction = 10

function countedInList(
  lists: TraceLists,
  projectId: string,
  { filters, scanLimit }: HistogramQuery,
  options: StatementOptions,
): Countable {
  const limit = Math.max(1, Math.floor(scanLimit / comparedFraction))
  const find = async (bounds: Bounds) => {
    const query = { limit, scanLimit, filters: { ...filters, ...bounds } }
    const { traces, next, coverageStart } = await lists.page(projectId, query, options)
    return { traces, scannedFrom: coverageStart ?? (next && next.at + 1n) }
  }
  return {
    async extent(bounds) {
      const { traces, scannedFrom } = await find(bounds)
      const [last, first] = [traces[0]?.startedAt, traces.at(-1)?.startedAt]
      if (scannedFrom !== undefined) {
        return { first: scannedFrom, last: last ?? scannedFrom, isTruncated: true }
      }
      return first === undefined || last === undefined ? undefined : { first, last }
    },
    async count({ from, to, widthNanos }) {
      const { traces, scannedFrom } = await find({ from, to })
      const byBucket = Map.groupBy(traces, ({ startedAt }) => bucketStart(startedAt, widthNanos))
      const buckets = [...byBucket]
        .map(([startedAt, own]) => ({
          ...{ startedAt, count: own.length },
          errors: own.filter(({ status }) => status === 'ERROR').length,
        }))
        .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
      return { buckets, coverageStart: scannedFrom }
    },
  }
}
