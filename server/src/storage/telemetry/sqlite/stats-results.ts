import type { GroupPage, Stats, StatsGroup } from '../port/stats.ts'
import { encodeTime } from '../positions.ts'
import type { AggregateRow } from './aggregate-sums.ts'
import type { GroupRow, StatsRows } from './stats-reads.ts'

/*
 * Rows of aggregates as results of the port.
 */

export function toStats(rows: StatsRows): Stats {
  const { buckets, byName, byEnvironment, byModel, byTag, ...rest } = rows
  return {
    ...rest,
    buckets: buckets.map(([start, aggregates]) => ({ startedAt: BigInt(start), aggregates })),
    byName: byName.map(toStatsGroup),
    byEnvironment: byEnvironment.map(toStatsGroup),
    byModel: byModel.map(toStatsGroup),
    byTag: byTag.map(toStatsGroup),
  }
}

function toStatsGroup([value, aggregates]: AggregateRow): StatsGroup {
  return { value, aggregates }
}

/** `rows` has one more than `limit` when there are more. Sums are maintained, so no page ends early. */
export function groupPage(rows: readonly GroupRow[], limit: number): GroupPage {
  const groups = rows.slice(0, limit).map((row) => ({
    value: row[0],
    traces: row[1],
    errors: row[2],
    spans: row[3],
    calls: row[4],
    unpriced: row[5],
    tokensIn: row[6],
    tokensOut: row[7],
    costUsd: row[8] / 1e9,
    firstAt: BigInt(row[9]),
    lastAt: BigInt(row[10]),
  }))
  const last = rows.length > limit ? groups.at(-1) : undefined
  const next = last && encodeTime({ at: last.lastAt, id: last.value })
  return { groups, next, coverageStart: undefined }
}
