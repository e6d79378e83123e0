import { limits } from '@assay/contract/limits.ts'
import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
  type statsBuckets,
} from '@assay/contract/stats.ts'
import { formatInstant, type Instant, parseInstant } from '../../domain/instant.ts'
import { bucketStart } from '../../domain/time-buckets.ts'
import type { Bind, CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type {
  AggregateStats,
  GroupPage,
  GroupQuery,
  Histogram,
  Stats,
  StatsQuery,
  TraceGroup,
} from '../../storage/telemetry/port/stats.ts'
import { toStatsFilters } from '../../storage/telemetry/port/stats-filters.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toTraceFilters } from '../../storage/telemetry/port/trace-filters.ts'

export interface StatsPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

type Bucket = (typeof statsBuckets)[number]

const minute = 60_000_000_000n
const hour = 60n * minute
const day = 24n * hour
const widths = { minute, '5m': 5n * minute, hour, day } as const satisfies Record<Bucket, bigint>
/** The default length of the range for each bucket width. */
const defaultRanges = { minute: hour, '5m': 6n * hour, hour: day, day: 30n * day } as const
/** Up to here, hourly buckets make a readable chart. */
const hoursUpTo = 3n * day
const minutesUpTo = 6n * hour
const longest = 3660n * day

export function registerStats({ bind, telemetry, clock }: StatsPorts): void {
  bind(readStats, async ({ caller: { projectId }, query, readOptions }) => {
    const { bucket, ...range } = toRange(query, BigInt(clock.now().getTime()) * 1_000_000n)
    const statsQuery = {
      ...range,
      filters: toStatsFilters(query),
      scanLimit: limits.statsTraces.value,
    }
    const stats = await telemetry.readStats(projectId, statsQuery, readOptions)
    return {
      from: formatInstant(range.from),
      to: formatInstant(range.to),
      bucket,
      ...toApiStats(stats),
    }
  })

  bind(readHistogram, async ({ caller: { projectId }, query: apiQuery, readOptions }) => {
    const { buckets, ...given } = apiQuery
    const filters = toTraceFilters(given)
    const now = BigInt(clock.now().getTime()) * 1_000_000n
    if (filters.from !== undefined && filters.from >= (filters.to ?? now)) throw fromAfterTo()
    const scanLimit = limits.histogramTraces.value
    const query = { filters, maxBuckets: buckets, scanLimit, now }
    return toApiHistogram(await telemetry.readHistogram(projectId, query, readOptions))
  })

  bind(listTraceSessions, async ({ caller: { projectId }, query, readOptions }) => {
    const { groups, meta } = await readPage('session', projectId, query, readOptions)
    return { data: groups.map((one) => ({ session_id: one.value, ...toApiTraceGroup(one) })), meta }
  })

  bind(listTraceUsers, async ({ caller: { projectId }, query, readOptions }) => {
    const { groups, meta } = await readPage('user', projectId, query, readOptions)
    return { data: groups.map((one) => ({ user_id: one.value, ...toApiTraceGroup(one) })), meta }
  })

  const readPage = async (
    kind: GroupQuery['kind'],
    projectId: string,
    { limit, cursor, from, to }: GroupPageQuery,
    readOptions: CallReadOptions,
  ) => {
    const query = {
      ...{ kind, limit, scanLimit: limits.groupTraces.value },
      ...(cursor !== undefined && { after: cursor }),
      ...(from !== undefined && { from: parseInstant(from) }),
      ...(to !== undefined && { to: parseInstant(to) }),
    }
    const page = await telemetry.listGroups(projectId, query, readOptions)
    return { groups: page.groups, meta: toGroupMeta(page) }
  }
}

const fromAfterTo = () => new Failure('VALIDATION_ERROR', 'from must be before to')

interface GroupPageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface RangeQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bucket?: Bucket | undefined
}

interface StatsRange extends Pick<StatsQuery, 'from' | 'to' | 'bucketNanos'> {
  readonly bucket: Bucket
}

function toRange(rangeQuery: RangeQuery, now: Instant): StatsRange {
  const to = rangeQuery.to === undefined ? now : parseInstant(rangeQuery.to)
  const from =
    rangeQuery.from === undefined
      ? to - defaultRanges[rangeQuery.bucket ?? 'hour']
      : parseInstant(rangeQuery.from)
  if (from >= to) throw fromAfterTo()
  if (to - from > longest)
    throw new Failure('VALIDATION_ERROR', 'from must be at most ten years before to')
  const bucket = rangeQuery.bucket ?? (to - from <= hoursUpTo ? 'hour' : 'day')
  const bucketNanos = widths[bucket]
  if (bucketNanos < hour && to - from > minutesUpTo)
    throw new Failure('VALIDATION_ERROR', 'bucket must be hour or day for more than 6 hours')
  const whole = bucketNanos < hour ? bucketNanos : hour
  const start = bucketStart(from, whole)
  const end = bucketStart(to + whole - 1n, whole)
  const { value: most } = limits.statsBuckets
  if (end - start > bucketNanos * BigInt(most)) {
    const hours = most.toLocaleString('en-US')
    throw new Failure('VALIDATION_ERROR', `bucket must be day for more than ${hours} hours`)
  }
  return { from: start, to: end, bucketNanos, bucket }
}

function toApiStats({ buckets, byName, byEnvironment, byModel, byTag, ...rest }: Stats) {
  return {
    buckets: buckets.map(({ startedAt, aggregates }) => ({
      started_at: formatInstant(startedAt),
      trace_count: aggregates.count,
      ...toApiRepricingStats(aggregates),
    })),
    by_name: byName.map(({ value, aggregates }) => ({
      name: value,
      trace_count: aggregates.count,
      ...toApiRepricingStats(aggregates),
    })),
    by_environment: byEnvironment.map(({ value, aggregates }) => ({
      environment: value === '' ? null : value,
      trace_count: aggregates.count,
      ...toApiRepricingStats(aggregates),
    })),
    by_model: byModel.map(({ value, aggregates }) => ({
      model: value,
      call_count: aggregates.count,
      ...toApiRepricingStats(aggregates),
    })),
    by_tag: byTag.map(({ value, aggregates }) => ({
      tag: value,
      trace_count: aggregates.count,
      ...toApiRepricingStats(aggregates),
    })),
    is_complete: rest.isComplete,
    complete_from: formatInstant(rest.coverageStart),
  }
}

function toApiHistogram({ from, to, bucketNanos, buckets, ...rest }: Histogram) {
  return {
    from: formatInstant(from),
    to: formatInstant(to),
    bucket_ms: Number(bucketNanos / 1_000_000n),
    buckets: buckets.map(({ startedAt, count, errors }) => ({
      started_at: formatInstant(startedAt),
      trace_count: count,
      error_count: errors,
    })),
    is_complete: rest.isComplete,
    complete_from: formatInstant(rest.coverageStart),
  }
}

function toApiRepricingStats(aggregates: AggregateStats) {
  return {
    error_count: aggregates.errors,
    model_call_count: aggregates.calls,
    unpriced_call_count: aggregates.unpriced,
    tokens_in: aggregates.tokensIn,
    tokens_out: aggregates.tokensOut,
    cost_usd: aggregates.costUsd,
    latency_ms: aggregates.latencyMs,
  }
}

export function toGroupMeta({ groups, next, coverageStart }: GroupPage) {
  return {
    pageSize: groups.length,
    cursor: next ?? null,
    is_complete: coverageStart === undefined,
    complete_from: coverageStart === undefined ? null : formatInstant(coverageStart),
  }
}

function toApiTraceGroup(group: TraceGroup) {
  return {
    trace_count: group.traces,
    error_count: group.errors,
    span_count: group.spans,
    model_call_count: group.calls,
    unpriced_call_count: group.unpriced,
    tokens_in: group.tokensIn,
    tokens_out: group.tokensOut,
    cost_usd: group.costUsd,
    first_seen_at: formatInstant(group.firstAt),
    last_seen_at: formatInstant(group.lastAt),
  }
}
