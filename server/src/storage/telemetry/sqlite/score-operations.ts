import { limits } from '@assay/contract/limits.ts'
import type { TraceChange } from '../port/change-feed.ts'
import type { ScoredTracePage, ScoreGroup, ScorePage, ScoreStats, Scores } from '../port/scores.ts'
import { decodeAfter, decodeTime, decodeValue, encodeTime, encodeValue } from '../positions.ts'
import type { Change, ChangeResult } from './changes.ts'
import type { ReaderPool } from './reader-pool.ts'
import { type ScoreRow, toScore } from './score-columns.ts'
import { type ScoreBucketRow, type ScoredTraceRows, type ScoreStatsRows } from './score-reads.ts'
import { readTraceNo, toTrace } from './trace-columns.ts'

/*
 * The store's operations on scores, on the main thread.
 */

interface Dependencies {
  readonly pool: Pick<ReaderPool, 'lookup' | 'scan'>
  /** Throws once the store is closed. */
  readonly checkOpen: () => void
  readonly change: (change: Change) => Promise<ChangeResult>
  readonly notify: (change: TraceChange) => void
}

export function scoreOperations({ pool, checkOpen, change, notify }: Dependencies): Scores {
  return {
    async recordScores(projectId, scores) {
      const changed = await change({ type: 'record-scores', projectId, scores })
      const { traceIds, fullTraceIds = [] } = changed
      if (traceIds.length > 0) notify({ projectId, traceIds })
      const found = new Set(traceIds)
      const all = new Set(scores.map(({ traceId }) => traceId))
      const missingTraceIds = [...all].filter((traceId) => !found.has(traceId))
      return { missingTraceIds, fullTraceIds }
    },
    async removeScores(projectId, traceId, scoreIds, authorId) {
      const { count = 0 } = await change({
        ...{ type: 'remove-scores', projectId, traceId, scoreIds },
        authorId: authorId ?? null,
      })
      if (count > 0) notify({ projectId, traceIds: [traceId] })
      return count
    },
    async listScores(projectId, traceId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeTime)
      const rows = await pool.lookup('scores', [projectId, traceId, decoded], options)
      return scorePage(traceId, rows, query.limit)
    },
    async listScoreRuns(projectId, traceId, limit, options) {
      checkOpen()
      const runs = await pool.lookup('scoreRuns', [projectId, traceId, limit], options)
      return runs.map((rows) => {
        const scores = rows.map((columns) => toScore(traceId, columns))
        return { runId: scores[0]!.runId!, scores }
      })
    },
    async findScoreRun(projectId, traceId, runId, options) {
      checkOpen()
      const rows = await pool.lookup('scoreRun', [projectId, traceId, runId], options)
      return rows.length === 0
        ? undefined
        : { runId, scores: rows.map((columns) => toScore(traceId, columns)) }
    },
    async countScores(projectId, traceIds, options) {
      checkOpen()
      const rows = await pool.lookup('scoreCounts', [projectId, traceIds], options)
      return rows.map(([traceId, scored, passed]) => ({ traceId, scored, passed }))
    },
    async listScoredTraces(projectId, query, options) {
      checkOpen()
      const decoded = decodeAfter(query, decodeValue)
      const found = await pool.scan('scoredTraces', [projectId, decoded], options)
      return scoredTracePage(projectId, found, query.limit)
    },
    async readScoreStats(projectId, query, options) {
      checkOpen()
      const rows = await pool.scan('scoreStats', [projectId, query], options)
      return scoreStats(rows, query.bucketNanos)
    },
  }
}

function scorePage(traceId: string, rows: readonly ScoreRow[], limit: number): ScorePage {
  const scores = rows.slice(0, limit).map((columns) => toScore(traceId, columns))
  const last = rows.length > limit ? scores.at(-1) : undefined
  return { scores, next: last && encodeTime({ at: last.createdAt, id: last.id }) }
}

function scoredTracePage(
  projectId: string,
  { rows, stoppedAt }: ScoredTraceRows,
  limit: number,
): ScoredTracePage {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const next = last ? { value: last.value, traceNo: readTraceNo(last.trace) } : stoppedAt
  return {
    traces: page.map(({ trace, ...score }) => ({ ...score, trace: toTrace(projectId, trace) })),
    next: next && encodeValue(next),
    isComplete: stoppedAt === undefined,
  }
}

function scoreStats({ rows, coverageStart }: ScoreStatsRows, bucketNanos: bigint): ScoreStats {
  const byEvaluator = Map.groupBy(rows, ([name, evaluatorId, source]) =>
    JSON.stringify([name, evaluatorId, source]),
  )
  const groups = [...byEvaluator.values()].map((own) => ({
    total: own.reduce((sum, row) => sum + row[4] + row[7] + row[8], 0),
    group: scoreGroup(own, bucketNanos),
  }))
  groups.sort((a, b) => b.total - a.total)
  return {
    groups: groups.slice(0, limits.scoreStatsGroups.value).map(({ group }) => group),
    coverageStart,
  }
}

function scoreGroup(rows: readonly ScoreBucketRow[], bucketNanos: bigint): ScoreGroup {
  const [name, evaluatorId, source] = rows[0]!
  const buckets = rows.map(([, , , bucket, count, mean, passRate, notApplicable, errors]) => ({
    startedAt: BigInt(bucket) * bucketNanos,
    ...{ count, mean, passRate, notApplicable, errors },
  }))
  return { name, evaluatorId, source, buckets }
}
