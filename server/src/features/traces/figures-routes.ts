import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
} from '@assay/contract/figures.ts'
import { limits } from '@assay/contract/limits.ts'
import { type Instant, instantOf, isoOf } from '../../domain/instant.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type {
  GroupQuery,
  Histogram,
  ShownFigures,
  Stats,
  StatsQuery,
  TelemetryStore,
  TraceGroup,
} from '../../storage/telemetry/store.ts'
import { cursorOf, positionOf } from './cursor.ts'
import { storeFilters } from './routes.ts'

export interface FiguresPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

type Bucket = 'hour' | 'day'

const hour = 3_600_000_000_000n
const day = 24n * hour
/** Hours make a chart that can be read up to here. */
const hoursUpTo = 3n * day
const longest = 3660n * day

export function registerFigures({ bind, telemetry, clock }: FiguresPorts): void {
  bind(readStats, async ({ caller: { projectId }, query }) => {
    const { bucket, ...range } = rangeOf(query, BigInt(clock.now().getTime()) * 1_000_000n)
    const stats = await telemetry.readStats(projectId, range)
    return { from: isoOf(range.from), to: isoOf(range.to), bucket, ...shownStats(stats) }
  })

  bind(readHistogram, async ({ caller: { projectId }, query: { buckets, ...shown } }) => {
    const filters = storeFilters(shown)
    const now = BigInt(clock.now().getTime()) * 1_000_000n
    if (filters.from !== undefined && filters.from >= (filters.to ?? now)) throw fromAfterTo()
    const scanLimit = limits.histogramTraces.value
    const query = { filters, maxBuckets: buckets, scanLimit, now }
    return shownHistogram(await telemetry.readHistogram(projectId, query))
  })

  bind(listTraceSessions, async ({ caller: { projectId }, query }) => {
    const { groups, meta } = await pageOf('session', projectId, query)
    return { data: groups.map((one) => ({ session_id: one.value, ...shownGroup(one) })), meta }
  })

  bind(listTraceUsers, async ({ caller: { projectId }, query }) => {
    const { groups, meta } = await pageOf('user', projectId, query)
    return { data: groups.map((one) => ({ user_id: one.value, ...shownGroup(one) })), meta }
  })

  const pageOf = async (
    kind: GroupQuery['kind'],
    projectId: string,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ) => {
    const after = cursor === undefined ? undefined : positionOf(cursor)
    const { groups, next } = await telemetry.listGroups(projectId, {
      kind,
      limit,
      ...(after && { after: { lastAt: after.startedAt, value: after.id } }),
    })
    const last = next && cursorOf({ startedAt: next.lastAt, id: next.value })
    return { groups, meta: { pageSize: groups.length, cursor: last ?? null } }
  }
}

const fromAfterTo = () => new Failure('VALIDATION_ERROR', 'from: must lie before to')

interface AskedRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bucket?: Bucket | undefined
}

function rangeOf(asked: AskedRange, now: Instant): StatsQuery & { readonly bucket: Bucket } {
  const to = asked.to === undefined ? now : instantOf(asked.to)
  const before = to - (asked.bucket === 'day' ? 30n * day : day)
  const from = asked.from === undefined ? before : instantOf(asked.from)
  if (from >= to) throw fromAfterTo()
  if (to - from > longest)
    throw new Failure('VALIDATION_ERROR', 'from: at most ten years before to')
  const bucket = asked.bucket ?? (to - from <= hoursUpTo ? 'hour' : 'day')
  return {
    from: from - (from % hour),
    to: to + ((hour - (to % hour)) % hour),
    bucketHours: bucket === 'hour' ? 1 : 24,
    bucket,
  }
}

function shownStats({ buckets, byName, byEnvironment, byModel }: Stats) {
  return {
    buckets: buckets.map(({ startedAt, figures }) => ({
      started_at: isoOf(startedAt),
      trace_count: figures.count,
      ...shownFigures(figures),
    })),
    by_name: byName.map(({ value, figures }) => ({
      name: value,
      trace_count: figures.count,
      ...shownFigures(figures),
    })),
    by_environment: byEnvironment.map(({ value, figures }) => ({
      environment: value === '' ? null : value,
      trace_count: figures.count,
      ...shownFigures(figures),
    })),
    by_model: byModel.map(({ value, figures }) => ({
      model: value,
      call_count: figures.count,
      ...shownFigures(figures),
    })),
  }
}

function shownHistogram({ from, to, bucketNanos, buckets, ...rest }: Histogram) {
  return {
    from: isoOf(from),
    to: isoOf(to),
    bucket_ms: Number(bucketNanos / 1_000_000n),
    buckets: buckets.map(({ startedAt, count, errors }) => ({
      started_at: isoOf(startedAt),
      trace_count: count,
      error_count: errors,
    })),
    is_complete: rest.isComplete,
    complete_from: isoOf(rest.completeFrom),
  }
}

function shownFigures(figures: ShownFigures) {
  return {
    error_count: figures.errors,
    model_call_count: figures.calls,
    unpriced_call_count: figures.unpriced,
    tokens_in: figures.tokensIn,
    tokens_out: figures.tokensOut,
    cost_usd: figures.costUsd,
    latency_ms: figures.latencyMs,
  }
}

function shownGroup(group: TraceGroup) {
  return {
    trace_count: group.traces,
    error_count: group.errors,
    span_count: group.spans,
    tokens_in: group.tokensIn,
    tokens_out: group.tokensOut,
    cost_usd: group.costUsd,
    first_seen_at: isoOf(group.firstAt),
    last_seen_at: isoOf(group.lastAt),
  }
}
