import { limits } from '@assay/contract/limits.ts'
import { estimateQuantile } from '../../../domain/latency-sketch.ts'
import type {
  AggregateStats,
  GroupPage,
  GroupQuery,
  Stats,
  StatsFilters,
  StatsGroup,
  StatsQuery,
} from '../port/stats.ts'
import { type At, encodeTime, firstInstant, lastInstant, type TimePosition } from '../positions.ts'
import type { Cell, Row } from './columns.ts'
import type { Connection, Parameters, StatementOptions } from './connection.ts'
import { groupsOfTraces, statsByBucket, statsByModel, statsByValue } from './statements/stats.ts'

/*
 * Aggregates of traces over time, and of sessions and users. The engine reads all traces of the range, so that they are
 * complete whatever the filters are.
 */

export async function readStats(
  connection: Connection,
  projectId: string,
  { from, to, bucketNanos, filters }: StatsQuery,
  options: StatementOptions,
): Promise<Stats> {
  const { text, parameters } = toStatsCondition(filters)
  const range = { project: projectId, from, to, ...parameters }
  const groups = limits.statsGroups.value
  const [ofBuckets, ofValues, ofModels] = await Promise.all([
    connection.rows(statsByBucket(text), { ...range, width: bucketNanos }, options),
    connection.rows(statsByValue(text), { ...range, groups }, options),
    connection.rows(statsByModel(text), { ...range, groups }, options),
  ])
  const groupsOf = (requested: string): readonly StatsGroup[] =>
    ofValues
      .filter(([dimension]) => dimension === requested)
      .map(([, value, ...sums]) => ({ value: String(value), aggregates: toAggregates([sums]) }))
  return {
    total: toAggregates(ofBuckets.map(([, ...sums]) => sums)),
    buckets: ofBuckets.map(([start, ...sums]) => ({
      startedAt: BigInt(String(start)),
      aggregates: toAggregates([sums]),
    })),
    byName: groupsOf('name'),
    byEnvironment: groupsOf('environment'),
    byTag: groupsOf('tag'),
    byModel: ofModels.map(([value, ...sums]) => ({
      value: String(value),
      aggregates: toAggregates([sums]),
    })),
    isComplete: true,
    coverageStart: from,
  }
}

function toStatsCondition({ mode, name, environment, service, tags, model }: StatsFilters) {
  const conditions: string[] = []
  const parameters: Record<string, Parameters[string]> = {}
  const add = (text: string, key: string, value: Parameters[string] | undefined) => {
    if (value === undefined) return
    conditions.push(text)
    parameters[key] = value
  }
  add('mode = {mode:String}', 'mode', mode)
  add('root_name = {name:String}', 'name', name)
  add("coalesce(environment, '') = {environment:String}", 'environment', environment)
  add('service = {service:String}', 'service', service)
  add('hasAll(tags, {tags:Array(String)})', 'tags', tags)
  add('has(models, {model:String})', 'model', model)
  return { text: conditions.length === 0 ? 'true' : conditions.join(' AND '), parameters }
}

/** The columns of `sums`: seven numbers, the pair of lists, and both lists. */
function toAggregates(rows: readonly (readonly Cell[])[]): AggregateStats {
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0)
  const latencies = new Map<number, number>()
  for (const row of rows) {
    const [buckets, counts] = [row[8] as readonly number[], row[9] as readonly string[]]
    for (const [index, bucket] of buckets.entries()) {
      latencies.set(bucket, (latencies.get(bucket) ?? 0) + Number(counts[index]))
    }
  }
  return {
    ...{ count: sum(0), errors: sum(1), calls: sum(2), unpriced: sum(3) },
    ...{ tokensIn: sum(4), tokensOut: sum(5), costUsd: sum(6) / 1e9 },
    latencyMs: {
      p50: estimateQuantile(latencies, 0.5),
      p90: estimateQuantile(latencies, 0.9),
      p99: estimateQuantile(latencies, 0.99),
    },
  }
}

export async function readGroups(
  connection: Connection,
  projectId: string,
  { kind, from, to, limit, after }: At<TimePosition, GroupQuery>,
  options: StatementOptions,
): Promise<GroupPage> {
  const parameters = {
    ...{ project: projectId, limit: limit + 1 },
    ...{ from: from ?? firstInstant, to: to ?? lastInstant },
    ...{ afterAt: after?.at ?? lastInstant, afterId: after?.id ?? '' },
  }
  const rows = await connection.rows(groupsOfTraces(kind), parameters, options)
  const groups = rows.slice(0, limit).map(toGroup)
  const last = rows.length > limit ? groups.at(-1) : undefined
  const next = last && encodeTime({ at: last.lastAt, id: last.value })
  return { groups, next, coverageStart: undefined }
}

function toGroup([value, ...numbers]: Row) {
  const [traces, errors, spans, calls, unpriced, tokensIn, tokensOut, costNanos] =
    numbers.map(Number)
  return {
    ...{ value: String(value), traces: traces!, errors: errors!, spans: spans!, calls: calls! },
    ...{ unpriced: unpriced!, tokensIn: tokensIn!, tokensOut: tokensOut! },
    costUsd: costNanos! / 1e9,
    firstAt: BigInt(String(numbers[8])),
    lastAt: BigInt(String(numbers[9])),
  }
}
