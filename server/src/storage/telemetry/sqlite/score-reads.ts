import type { DatabaseSync } from 'node:sqlite'
import type { ScoreSource } from '../../../domain/score.ts'
import type { ScoredTraceQuery, ScoreQuery, ScoreStatsQuery } from '../port/scores.ts'
import { type At, lastInstant, type TimePosition, type ValuePosition } from '../positions.ts'
import { prepareRows, readRows } from './database.ts'
import { openQueryPlanner, scanBindings } from './query-plans.ts'
import type { ScoreRow } from './score-columns.ts'
import {
  runsOfTrace,
  scannedScoreBoundary,
  scoreBoundary,
  scoreBuckets,
  scoreCounts,
  scoredTraces,
  scoresOfRun,
  scoresOfTrace,
} from './statements/scores.ts'
import { readTraceColumns, type TraceRow } from './trace-columns.ts'

/*
 * Reads of scores, in a reader thread.
 */

export interface ScoreReads {
  /** One more than `limit` if there are more. */
  scores(projectId: string, traceId: string, query: At<TimePosition, ScoreQuery>): ScoreRow[]
  scoreRuns(projectId: string, traceId: string, limit: number): ScoreRow[][]
  scoreRun(projectId: string, traceId: string, runId: string): ScoreRow[]
  scoreCounts(projectId: string, traceIds: readonly string[]): ScoreCountRow[]
  scoredTraces(projectId: string, query: At<ValuePosition, ScoredTraceQuery>): ScoredTraceRows
  scoreStats(projectId: string, query: ScoreStatsQuery): ScoreStatsRows
}

export type ScoreCountRow = readonly [traceId: string, scored: number, passed: number]

export interface ScoredTraceRows {
  /** One more than `limit` if there are more. */
  readonly rows: readonly ScoredTraceRow[]
  /** Where the scan limit ended the page. */
  readonly stoppedAt: ValuePosition | undefined
}

export interface ScoredTraceRow {
  readonly trace: TraceRow
  readonly value: number
  readonly passed: boolean
}

export interface ScoreStatsRows {
  readonly rows: readonly ScoreBucketRow[]
  readonly coverageStart: bigint
}

export type ScoreBucketRow = readonly [
  name: string,
  evaluatorId: string | null,
  source: ScoreSource,
  bucket: string,
  count: number,
  mean: number | null,
  passRate: number | null,
  notApplicable: number,
  errors: number,
]

const runScoresMax = 1000

export function openScoreReads(db: DatabaseSync, inSnapshot: <T>(read: () => T) => T): ScoreReads {
  const statements = {
    ofTrace: prepareRows(db, scoresOfTrace),
    runs: prepareRows(db, runsOfTrace),
    ofRun: prepareRows(db, scoresOfRun),
    counts: prepareRows(db, scoreCounts),
    boundary: prepareRows(db, scoreBoundary),
    buckets: prepareRows(db, scoreBuckets),
  }
  const readRun = (projectId: string, traceId: string, runId: string) =>
    readRows<ScoreRow>(statements.ofRun, { projectId, traceId, runId, limit: runScoresMax })
  return {
    scoreRun: readRun,
    scoreCounts: (projectId, traceIds) =>
      readRows(statements.counts, { projectId, traceIds: JSON.stringify(traceIds) }),
    scores: (projectId, traceId, { limit, source = null, after }) =>
      readRows(statements.ofTrace, {
        ...{ projectId, traceId, source, limit: limit + 1 },
        ...{ beforeStart: after?.at ?? lastInstant, beforeId: after?.id ?? '' },
      }),
    scoreRuns: (projectId, traceId, limit) =>
      inSnapshot(() =>
        readRows<readonly [string]>(statements.runs, { projectId, traceId, limit }).map(([runId]) =>
          readRun(projectId, traceId, runId),
        ),
      ),
    scoredTraces: openScoredTraces(db, inSnapshot),
    scoreStats: (projectId, { from, to, bucketNanos, scanLimit }) =>
      inSnapshot(() => {
        const range = { projectId, from, to }
        const [boundary] = readRows<readonly [string]>(statements.boundary, {
          ...range,
          skip: scanLimit,
        })
        const coverageStart = boundary === undefined ? from : BigInt(boundary[0]) + 1n
        const rows = readRows<ScoreBucketRow>(statements.buckets, {
          ...{ ...range, from: coverageStart, bucketNanos },
        })
        return { rows, coverageStart }
      }),
  }
}

function openScoredTraces(
  db: DatabaseSync,
  inSnapshot: <T>(read: () => T) => T,
): ScoreReads['scoredTraces'] {
  const planQuery = openQueryPlanner(db)
  const prepare = (order: ScoredTraceQuery['order']) => ({
    traces: prepareRows(db, scoredTraces(order)),
    boundary: prepareRows(db, scannedScoreBoundary(order)),
  })
  const statements = {
    'lowest-first': prepare('lowest-first'),
    'highest-first': prepare('highest-first'),
  }
  for (const { traces } of Object.values(statements)) traces.setAllowUnknownNamedParameters(true)

  return (projectId, { name, order, filters, limit, scanLimit, after }) =>
    inSnapshot(() => {
      const bounds = scanBindings(projectId, filters)
      const plan = planQuery(projectId, filters, bounds)
      if (plan === undefined) return { rows: [], stoppedAt: undefined }
      const { traces, boundary } = statements[order]
      const { start, end } = extents[order]
      const { value: afterValue, traceNo: afterNo } = after ?? start
      const range = { sortName: name, afterValue, afterNo }
      const [last] = readRows<readonly [number, number]>(boundary, {
        projectId,
        ...range,
        scanLimit,
      })
      const stoppedAt = last && { value: last[0], traceNo: last[1] }
      const { value: endValue, traceNo: endNo } = stoppedAt ?? end
      const rows = readRows<readonly unknown[]>(traces, {
        ...{ ...bounds, ...plan.bindings, ...range, endValue, endNo },
        limit: limit + 1,
      })
      return {
        rows: rows.map(toScoredTraceRow),
        stoppedAt: rows.length > limit ? undefined : stoppedAt,
      }
    })
}

/** Every value is between 0 and 1. */
const extents = {
  'lowest-first': { start: { value: -1, traceNo: 0 }, end: { value: 2, traceNo: 0 } },
  'highest-first': { start: { value: 2, traceNo: 0 }, end: { value: -1, traceNo: 0 } },
} as const

/** The row of the trace, then the columns that the statement adds. */
function toScoredTraceRow(row: readonly unknown[]): ScoredTraceRow {
  const [value, passed] = row.slice(traceColumnCount) as [number, number]
  return {
    trace: row.slice(0, traceColumnCount) as unknown as TraceRow,
    value,
    passed: passed === 1,
  }
}

const traceColumnCount = readTraceColumns.keys.length
