import type { Instant } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/span.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'
import type { TraceFilters } from './traces.ts'

/*
 * Counts and aggregates of traces over time, and sessions and users.
 */
export interface StatsReads {
  /**
   * Aggregates of the traces that started from `from` up to, not including, `to`. They agree with the traces as
   * they are now: a replaced span counts once, with its new values. Latency quantiles are within five percent.
   * `byName`, `byEnvironment`, `byModel` and `byTag` have the fifty values with the highest counts; a trace counts
   * for, and is found by, at least twenty of its tags and twenty of its models.
   *
   * Everything that started at `coverageStart` or later is counted. That is the whole range with buckets of an hour
   * or longer and no filter but `mode`, except for `byTag`. Otherwise at least the newest `scanLimit` traces are
   * examined, unless they have more than 200,000 spans.
   */
  readStats(projectId: string, query: StatsQuery, options?: ReadOptions): Promise<Stats>

  /**
   * Counts the traces that `listTraces` lists for the filters, and how many of those have errors, by start
   * time in buckets of one round width (domain/time-buckets.ts). The range from `from` to `to` is widened
   * to whole buckets, which are counted whole. `to` defaults to now, `from` to the oldest matching trace;
   * without both, the range ends with the newest.
   *
   * Everything that started at `coverageStart` or later is counted; earlier traces may be missing. That is the whole
   * range with buckets of an hour or longer and no filter but `status`, `mode` or `environment`. Otherwise at least about
   * `scanLimit` of the newest traces are examined, a tenth of that in a search.
   */
  readHistogram(projectId: string, query: HistogramQuery, options?: ReadOptions): Promise<Histogram>

  /**
   * Sessions or users whose latest trace started in a range, latest first. Their sums are over all their traces,
   * and as exact as `readStats`. At least the newest `scanLimit` traces are examined: a page that ends there has
   * `coverageStart`, sums over the traces that started then or later, and `next` if there may be more.
   */
  listGroups(projectId: string, query: GroupQuery, options?: ReadOptions): Promise<GroupPage>
}

export interface StatsQuery {
  readonly from: Instant
  readonly to: Instant
  /**
   * A divisor or a multiple of an hour. Buckets start at multiples of it since 1970. `from` and `to` are multiples
   * of it, or of an hour if that is shorter.
   */
  readonly bucketNanos: bigint
  readonly filters: StatsFilters
  readonly scanLimit: number
}

/** All optional; filters combine with AND. */
export interface StatsFilters {
  readonly mode?: Mode
  /** The whole root name. */
  readonly name?: string
  readonly environment?: string
  readonly service?: string
  /** All of these. */
  readonly tags?: readonly string[]
  /** One of its spans has this model. */
  readonly model?: string
}

export interface Stats {
  /** Of the whole range. */
  readonly total: AggregateStats
  /** Non-empty buckets, oldest first. */
  readonly buckets: readonly { readonly startedAt: Instant; readonly aggregates: AggregateStats }[]
  readonly byName: readonly StatsGroup[]
  /** The empty value: traces without an environment. */
  readonly byEnvironment: readonly StatsGroup[]
  /** Counts calls of the model instead of traces. */
  readonly byModel: readonly StatsGroup[]
  /** A trace counts once for each of its tags. */
  readonly byTag: readonly StatsGroup[]
  readonly isComplete: boolean
  /** Everything that started at this instant or later is counted. */
  readonly coverageStart: Instant
}

export interface StatsGroup {
  readonly value: string
  readonly aggregates: AggregateStats
}

export interface AggregateStats {
  /** Traces; in `byModel`, calls. */
  readonly count: number
  readonly errors: number
  /** Model calls that used tokens, and those of them whose cost is unknown. */
  readonly calls: number
  readonly unpriced: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Sum of the known costs, to a billionth of a dollar per trace. */
  readonly costUsd: number
  /** Null where nothing was counted. */
  readonly latencyMs: Readonly<Record<'p50' | 'p90' | 'p99', number | null>>
}

export interface HistogramQuery {
  readonly filters: TraceFilters
  readonly maxBuckets: number
  readonly scanLimit: number
  readonly now: Instant
}

export interface Histogram {
  readonly from: Instant
  readonly to: Instant
  readonly bucketNanos: bigint
  /** Non-empty buckets, oldest first. */
  readonly buckets: readonly HistogramBucket[]
  readonly isComplete: boolean
  /** Everything that started at this instant or later is counted. */
  readonly coverageStart: Instant
}

export interface HistogramBucket {
  readonly startedAt: Instant
  readonly count: number
  readonly errors: number
}

export interface GroupQuery {
  readonly kind: 'session' | 'user'
  /** The latest trace started at this instant or later. */
  readonly from?: Instant
  /** The latest trace started before this instant. */
  readonly to?: Instant
  readonly limit: number
  /** Traces to examine. */
  readonly scanLimit: number
  readonly after?: Position
}

/** A session or a user. */
export interface TraceGroup {
  readonly value: string
  readonly traces: number
  readonly errors: number
  readonly spans: number
  /** Model calls that used tokens, and those of them whose cost is unknown. */
  readonly calls: number
  readonly unpriced: number
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  /** When its first and its last trace started. */
  readonly firstAt: Instant
  readonly lastAt: Instant
}

export interface GroupPage {
  readonly groups: readonly TraceGroup[]
  readonly next: Position | undefined
  /** Set when the scan limit ended the read: earlier traces are not included. */
  readonly coverageStart: Instant | undefined
}
