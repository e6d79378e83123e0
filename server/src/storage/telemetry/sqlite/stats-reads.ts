import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/span.ts'
import { bucketStart } from '../../../domain/time-buckets.ts'
import {
  isRollupMatch,
  parseModelRollupKey,
  parseRollupKey,
  type RollupDimensions,
  toRollupDimensions,
} from '../aggregates/rollup-dimensions.ts'
import { type Dimension, startOfHour, toHour, toRollupDelta } from '../aggregates/trace-rollup.ts'
import type { AggregateStats, GroupQuery, StatsFilters, StatsQuery } from '../port/stats.ts'
import type { At, TimePosition } from '../positions.ts'
import {
  type AddedAggregates,
  type AggregateRow,
  type AggregateSums,
  groupsMax,
  openAggregateSums,
} from './aggregate-sums.ts'
import { iterateRows, prepareRows, readRows } from './database.ts'
import { type Bindings, boundBindings, type PlanFilters } from './query-plans.ts'
import type { ReadLimits } from './read-limits.ts'
import type { RollupColumns } from './rollups.ts'
import { type RollupSpanRow, rollupSpanColumns } from './span-columns.ts'
import {
  groupKindNo,
  readDimensionHours,
  readGroups,
  readHours,
  toDimensionNos,
} from './statements/rollups.ts'
import { rollupSpansOfTrace } from './statements/spans.ts'
import { readTraceNo, toTrace } from './trace-columns.ts'
import type { TraceLists } from './trace-lists.ts'

/*
 * Reads aggregates, in a reader thread: from rollups by hour and one dimension, from rollups by hour and all dimensions when
 * there are filters, and from traces when buckets are shorter than an hour.
 */

export interface StatsReads {
  stats(projectId: string, query: StatsQuery): StatsRows
  groups(projectId: string, query: At<TimePosition, GroupQuery>): GroupRow[]
}

export interface StatsRows {
  readonly total: AggregateStats
  /** By start in nanoseconds, oldest first. */
  readonly buckets: readonly AggregateRow[]
  readonly byName: readonly AggregateRow[]
  readonly byEnvironment: readonly AggregateRow[]
  readonly byModel: readonly AggregateRow[]
  readonly byTag: readonly AggregateRow[]
  readonly isComplete: boolean
  readonly coverageStart: Instant
}

export type GroupRow = readonly [
  value: string,
  traces: number,
  errors: number,
  spans: number,
  calls: number,
  unpriced: number,
  tokensIn: number,
  tokensOut: number,
  costNanos: number,
  firstAt: string,
  lastAt: string,
]

const nanosPerHour = 3_600_000_000_000n
/** Maximum number of rollups that one read sums, of each mode. */
const dimensionHoursMax = 100_000
/** How many more traces than are counted may be examined for matches. */
const scannedFactor = 10
/** Maximum number of spans of one read, unless the last trace has more. */
const spansMax = 200_000

/** Adds to the sums and returns the coverage start; undefined when they are complete. */
type Summing = (projectId: string, query: StatsQuery, sums: AggregateSums) => Instant | undefined

export function openStatsReads(
  db: DatabaseSync,
  limits: ReadLimits,
  lists: TraceLists,
  rollupsMax = dimensionHoursMax,
): StatsReads {
  const groups = prepareRows(db, readGroups)
  const sumHours = openHours(db)
  const columns = openDimensionHours(db, rollupsMax)
  const sumTraces = openTraces(db, limits, lists)
  return {
    stats(projectId, query) {
      const sums = openAggregateSums()
      const sum =
        query.bucketNanos < nanosPerHour ? sumTraces : isFiltered(query) ? columns.sum : sumHours
      const scannedFrom = sum(projectId, query, sums)
      const taggedFrom = sum === sumHours ? columns.sumTags(projectId, query, sums) : scannedFrom
      return {
        total: sums.total(),
        buckets: sums.all('bucket').toSorted(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1)),
        byName: sums.highest('name'),
        byEnvironment: sums.highest('environment'),
        byModel: sums.highest('model'),
        byTag: sums.highest('tag'),
        isComplete: taggedFrom === undefined,
        coverageStart: taggedFrom ?? query.from,
      }
    },
    groups(projectId, { kind, limit, after, from, to }) {
      const { beforeStart, beforeId, ...bounds } = boundBindings(from, to, after)
      return readRows(groups, {
        ...{ projectId, kind: groupKindNo[kind], limit: limit + 1 },
        ...{ ...bounds, beforeAt: beforeStart!, beforeValue: beforeId! },
      })
    },
  }
}

/** Rollups of single dimensions are kept apart by mode. */
function isFiltered({ filters: { mode: _, ...filters } }: StatsQuery): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

type HourRow = readonly [bucketIndex: number, value: string, ...RollupColumns]
type DimensionHourRow = readonly [...HourRow, rows: number, firstHour: number]

interface NewestHours {
  readonly rows: readonly DimensionHourRow[]
  readonly scannedFrom: Instant | undefined
}

const noLimit = -1
/** As many hours at once as possible. */
const allHours = 2 ** 40

function hourBindings(
  projectId: string,
  { from, to, bucketNanos }: StatsQuery,
  isByBucket: boolean,
) {
  return {
    projectId,
    ...{ from: toHour(from), to: toHour(to + nanosPerHour - 1n) },
    hours: isByBucket ? Number(bucketNanos / nanosPerHour) : allHours,
  }
}

function formatBucket(bucketIndex: number, { bucketNanos }: StatsQuery): string {
  return String(BigInt(bucketIndex) * bucketNanos)
}

function toAddedAggregates(columns: readonly [...RollupColumns, ...unknown[]]): AddedAggregates {
  const [count, errors, calls, unpriced, tokensIn, tokensOut, costNanos, latencies] = columns
  return { count, errors, calls, unpriced, tokensIn, tokensOut, costNanos, latencies }
}

function openHours(db: DatabaseSync): Summing {
  const hours = prepareRows(db, readHours)
  return (projectId, query, sums) => {
    for (const dimension of ['all', 'name', 'environment', 'model'] as const) {
      const isAll = dimension === 'all'
      const bindings = hourBindings(projectId, query, isAll)
      const dimensions = JSON.stringify(toDimensionNos(dimension, query.filters.mode))
      const limit = isAll ? noLimit : groupsMax
      const rows: HourRow[] = readRows(hours, { ...bindings, dimensions, limit })
      for (const [bucketIndex, value, ...aggregates] of rows) {
        if (isAll)
          sums.add('bucket', formatBucket(bucketIndex, query), toAddedAggregates(aggregates))
        else sums.add(dimension, value, toAddedAggregates(aggregates))
      }
    }
    return undefined
  }
}

function openDimensionHours(db: DatabaseSync, rollupsMax: number) {
  const hours = prepareRows(db, readDimensionHours)
  /** For the newest hours; the oldest of them may be incomplete. */
  const newestOf = (bindings: Bindings): NewestHours => {
    const rows: DimensionHourRow[] = readRows(hours, { ...bindings, limit: rollupsMax })
    const read = rows.reduce((sum, row) => sum + row[10], 0)
    const first = rows.reduce((least, row) => Math.min(least, row[11]), Number.MAX_SAFE_INTEGER)
    return { rows, scannedFrom: read === rollupsMax ? startOfHour(first + 1) : undefined }
  }
  /** Mode by mode, because each is read in the order of the primary key. */
  const newest = (dimension: Dimension, mode: Mode | undefined, bindings: Bindings): NewestHours =>
    toDimensionNos(dimension, mode)
      .map((one) => newestOf({ ...bindings, dimension: one }))
      .reduce((a, b) => ({
        rows: [...a.rows, ...b.rows],
        scannedFrom: latest(a.scannedFrom, b.scannedFrom),
      }))
  const sum: Summing = (projectId, query, sums) => {
    const { mode } = query.filters
    const columns = newest('cell', mode, { ...hourBindings(projectId, query, true), tagged: 0 })
    const matching = memoize((key) => matchingDimensions(query.filters, parseRollupKey(key)))
    for (const [bucketIndex, key, ...aggregates] of columns.rows) {
      const dimensions = matching(key)
      if (dimensions === undefined) continue
      const added = toAddedAggregates(aggregates)
      sums.add('bucket', formatBucket(bucketIndex, query), added)
      sums.addDimensions(dimensions, added)
    }
    const calls = newest('call', mode, { ...hourBindings(projectId, query, false), tagged: 0 })
    for (const [, key, ...aggregates] of calls.rows) {
      const { dimensions, model } = parseModelRollupKey(key)
      if (isRollupMatch(query.filters, dimensions))
        sums.add('model', model, toAddedAggregates(aggregates))
    }
    return latest(columns.scannedFrom, calls.scannedFrom)
  }
  const sumTags: Summing = (projectId, query, sums) => {
    const bindings = { ...hourBindings(projectId, query, false), tagged: 1 }
    const { rows, scannedFrom } = newest('cell', query.filters.mode, bindings)
    for (const [, key, ...aggregates] of rows) {
      for (const tag of parseRollupKey(key).tags)
        sums.add('tag', tag, toAddedAggregates(aggregates))
    }
    return scannedFrom
  }
  return { sum, sumTags }
}

function matchingDimensions(
  filters: StatsFilters,
  dimensions: RollupDimensions,
): RollupDimensions | undefined {
  return isRollupMatch(filters, dimensions) ? dimensions : undefined
}

/** Remembers what was read: the same rollups recur in every bucket. */
function memoize<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return (key) => {
    const found = known.get(key) ?? { value: read(key) }
    known.set(key, found)
    return found.value
  }
}

function latest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}

function openTraces(db: DatabaseSync, { check }: ReadLimits, lists: TraceLists): Summing {
  const statement = prepareRows(db, rollupSpansOfTrace)
  const readSpans = (traceNo: number) => {
    const spans: ReturnType<typeof rollupSpanColumns.fromRow>[] = []
    for (const row of iterateRows<RollupSpanRow>(statement, { traceNo })) {
      spans.push(rollupSpanColumns.fromRow(row))
    }
    return spans
  }
  return (projectId, { from, to, bucketNanos, filters, scanLimit }, sums) => {
    const { name, ...rest } = filters
    const traceFilters: PlanFilters = {
      ...rest,
      ...(name !== undefined && { rootName: name }),
      from,
      to,
    }
    const query = { limit: scanLimit, filters: traceFilters }
    const bounds = { scannedMax: scanLimit * scannedFactor, examinedMax: scanLimit }
    const { traces, scannedFrom } = lists.bounded(projectId, query, bounds, (row) => ({
      traceNo: readTraceNo(row),
      trace: toTrace(projectId, row),
    }))
    let count = 0
    let spanCount = 0
    for (const { traceNo, trace } of traces) {
      check()
      count += 1
      spanCount += trace.spanCount
      if (count > scanLimit || (count > 1 && spanCount > spansMax)) return trace.startedAt + 1n
      const { whole, parts } = toRollupDelta(readSpans(traceNo), trace, {
        isRepeated: ({ repeatsSpanId }) => repeatsSpanId !== null,
        isSeparate: ({ isSeparateCall }) => isSeparateCall,
      })
      sums.add('bucket', String(bucketStart(trace.startedAt, bucketNanos)), whole)
      sums.addDimensions(toRollupDimensions(trace), whole)
      for (const { dimension, value, aggregates } of parts) {
        if (dimension === 'model') sums.add('model', value, aggregates)
      }
    }
    return scannedFrom
  }
}
