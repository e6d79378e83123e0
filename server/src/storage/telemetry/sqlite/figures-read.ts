import type { GroupPage, NamedFigures, Stats } from '../store.ts'
import type { GroupRow, StatsRows } from './figure-reads.ts'
import type { FigureRow } from './figure-sums.ts'

/*
 * Figures as the port tells them.
 */

export function statsOf(rows: StatsRows): Stats {
  const { buckets, byName, byEnvironment, byModel, byTag, isComplete, completeFrom } = rows
  return {
    buckets: buckets.map(([start, figures]) => ({ startedAt: BigInt(start), figures })),
    byName: byName.map(named),
    byEnvironment: byEnvironment.map(named),
    byModel: byModel.map(named),
    byTag: byTag.map(named),
    isComplete,
    completeFrom,
  }
}

function named([value, figures]: FigureRow): NamedFigures {
  return { value, figures }
}

/** Of rows one more than `limit` where there are more. */
export function groupPage(rows: readonly GroupRow[], limit: number): GroupPage {
  const groups = rows.slice(0, limit).map((row) => ({
    value: row[0],
    traces: row[1],
    errors: row[2],
    spans: row[3],
    tokensIn: row[4],
    tokensOut: row[5],
    costUsd: row[6] / 1e9,
    firstAt: BigInt(row[7]),
    lastAt: BigInt(row[8]),
  }))
  const last = rows.length > limit ? groups.at(-1) : undefined
  return { groups, next: last && { lastAt: last.lastAt, value: last.value } }
}
