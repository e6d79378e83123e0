import { limits } from '@assay/contract/limits.ts'
import type { Score } from '../../../domain/score.ts'
import { InvalidCursor } from '../../../platform/failure.ts'
import { toDay } from '../moved-rows.ts'
import type { Position } from '../port/position.ts'
import type { ScoreGroup, ScoreRun, ScoreStats, Scores } from '../port/scores.ts'
import { decodeAfter, decodeTime, encodeTime, lastInstant, parseObject } from '../positions.ts'
import type { Row } from './columns.ts'
import type { Engine } from './engine.ts'
import { scoreColumns, toScoreVersion, versionedScoreColumns } from './score-columns.ts'
import { readScoredTraces, type ScoredPosition } from './scored-traces.ts'
import {
  deleteScores,
  scoreBoundary,
  scoreBuckets,
  scoreCounts,
  scoresOfNewestRuns,
  scoresOfPeople,
  scoresOfRun,
  scoresOfTrace,
  storedScoreIds,
} from './statements/scores.ts'
import { existingTraceIds } from './statements/traces.ts'

/*
 * The operations of the port on scores.
 */

const runScoresMax = 1000

export function scoreOperations(engine: Engine): Scores {
  return { ...scoreWrites(engine), ...scoreReads(engine), ...scoreSummaries(engine) }
}

function scoreWrites(engine: Engine): Pick<Scores, 'recordScores' | 'removeScores'> {
  const { connection, nextVersion, now, notify, change } = engine
  return {
    recordScores: (projectId, scores) =>
      change(projectId, async () => {
        const ids = [...new Set(scores.map(({ traceId }) => traceId))]
        const existing = await findExisting(engine, projectId, ids)
        const at = now()
        const arrivedOn = toDay(at)
        const found = scores.filter(({ traceId }) => existing.has(traceId))
        const full = await findFull(engine, projectId, found)
        const recorded = found.filter((score) => !full.has(score))
        await connection.insertRows(
          `scores (${versionedScoreColumns.names}, ${scoreColumns.names})`,
          recorded.map((score) => {
            const version = toScoreVersion(score, nextVersion(at))
            const batch = versionedScoreColumns.toRow({ projectId, arrivedOn, version })
            return [...batch, ...scoreColumns.toRow(score)]
          }),
        )
        // Of a trace that is removed or moved meanwhile, nobody may have seen these scores.
        const kept = await findExisting(engine, projectId, [...existing])
        const lost = recorded.filter(({ traceId }) => !kept.has(traceId))
        for (const [trace, own] of Map.groupBy(lost, ({ traceId }) => traceId)) {
          const scoreIds = own.map(({ id }) => id)
          await connection.execute(deleteScores, { project: projectId, trace, ids: scoreIds })
        }
        notify(projectId, [...kept])
        return {
          missingTraceIds: ids.filter((id) => !kept.has(id)),
          fullTraceIds: [...new Set([...full].map(({ traceId }) => traceId))],
        }
      }),

    removeScores: (projectId, traceId, scoreIds, authorId) =>
      change(projectId, async () => {
        const of = { project: projectId, trace: traceId }
        const rows = await connection.rows(storedScoreIds, {
          ...{ ...of, ids: scoreIds, author: authorId ?? null },
        })
        if (rows.length === 0) return 0
        await connection.execute(deleteScores, { ...of, ids: rows.map(([id]) => String(id)) })
        notify(projectId, [traceId])
        return rows.length
      }),
  }
}

async function findExisting(
  { connection }: Engine,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await connection.rows(existingTraceIds, { project: projectId, ids })
  return new Set(rows.map(([id]) => String(id)))
}

/** New scores of people who have as many on the trace as they may. */
async function findFull(
  { connection }: Engine,
  projectId: string,
  scores: readonly Score[],
): Promise<ReadonlySet<Score>> {
  const ofPeople = scores.filter(({ source, authorId }) => source === 'person' && authorId !== null)
  const full = new Set<Score>()
  if (ofPeople.length === 0) return full
  const rows = await connection.rows(scoresOfPeople, {
    project: projectId,
    ids: [...new Set(ofPeople.map(({ traceId }) => traceId))],
    authors: [...new Set(ofPeople.map(({ authorId }) => authorId ?? ''))],
  })
  const stored = new Map<string, Set<unknown>>()
  const idsOf = (traceId: unknown, authorId: unknown) => {
    const key = JSON.stringify([traceId, authorId])
    const ids = stored.get(key) ?? new Set()
    stored.set(key, ids)
    return ids
  }
  for (const [traceId, authorId, id] of rows) idsOf(traceId, authorId).add(id)
  for (const score of ofPeople) {
    const ids = idsOf(score.traceId, score.authorId)
    if (ids.has(score.id) || ids.size < limits.personScores.value) ids.add(score.id)
    else full.add(score)
  }
  return full
}

function scoreReads({
  connection,
  lookup,
}: Engine): Pick<Scores, 'listScores' | 'listScoreRuns' | 'findScoreRun' | 'countScores'> {
  return {
    async listScores(projectId, traceId, query, options) {
      const { limit, source = null, after } = decodeAfter(query, decodeTime)
      const parameters = {
        ...{ project: projectId, trace: traceId, source, limit: limit + 1 },
        ...{ beforeAt: after?.at ?? lastInstant, beforeId: after?.id ?? '' },
      }
      const rows = await lookup(projectId, options, (statement) =>
        connection.rows(scoresOfTrace, parameters, statement),
      )
      const scores = rows.slice(0, limit).map((row) => scoreColumns.fromRow(row))
      const last = rows.length > limit ? scores.at(-1) : undefined
      return { scores, next: last && encodeTime({ at: last.createdAt, id: last.id }) }
    },

    async listScoreRuns(projectId, traceId, limit, options) {
      const parameters = { project: projectId, trace: traceId, runs: limit, limit: runScoresMax }
      const rows = await lookup(projectId, options, (statement) =>
        connection.rows(scoresOfNewestRuns, parameters, statement),
      )
      return toRuns(rows)
    },

    async findScoreRun(projectId, traceId, runId, options) {
      const of = { project: projectId, trace: traceId, run: runId, limit: runScoresMax }
      const rows = await lookup(projectId, options, (statement) =>
        connection.rows(scoresOfRun, of, statement),
      )
      return toRuns(rows)[0]
    },

    async countScores(projectId, traceIds, options) {
      const rows = await lookup(projectId, options, (statement) =>
        connection.rows(scoreCounts, { project: projectId, ids: traceIds }, statement),
      )
      return rows.map(([traceId, scored, passed]) => ({
        ...{ traceId: String(traceId), scored: Number(scored), passed: Number(passed) },
      }))
    },
  }
}

function scoreSummaries({
  connection,
  read,
}: Engine): Pick<Scores, 'listScoredTraces' | 'readScoreStats'> {
  return {
    async listScoredTraces(projectId, query, options) {
      const decoded = decodeAfter(query, decodeScored)
      const { traces, next, isComplete } = await read(projectId, options, (statement) =>
        readScoredTraces(connection, projectId, decoded, statement),
      )
      return { traces, next: next && encodeScored(next), isComplete }
    },

    readScoreStats: (projectId, query, options) =>
      read(projectId, options, async (statement): Promise<ScoreStats> => {
        const { from, to, bucketNanos, scanLimit } = query
        const range = { project: projectId, from, to }
        const [boundary] = await connection.rows(
          scoreBoundary,
          { ...range, skip: scanLimit },
          statement,
        )
        const coverageStart = boundary === undefined ? from : BigInt(String(boundary[0])) + 1n
        const covered = { ...range, from: coverageStart, bucketNanos }
        const rows = await connection.rows(scoreBuckets, covered, statement)
        return { groups: toGroups(rows, bucketNanos), coverageStart }
      }),
  }
}

function toRuns(rows: readonly Row[]): readonly ScoreRun[] {
  const scores: readonly Score[] = rows.map((row) => scoreColumns.fromRow(row))
  const byRun = Map.groupBy(scores, ({ runId }) => runId ?? '')
  return [...byRun].map(([runId, own]) => ({ runId, scores: own }))
}

/** Those with the most scores first. */
function toGroups(rows: readonly Row[], bucketNanos: bigint): readonly ScoreGroup[] {
  const byEvaluator = Map.groupBy(rows, (row) => JSON.stringify(row.slice(0, 3)))
  const groups = [...byEvaluator.values()].map((own) => {
    const [name, evaluatorId, source] = own[0]!
    const buckets = own.map((row) => toBucket(row, bucketNanos))
    const group = { name, evaluatorId, source, buckets } as ScoreGroup
    const total = buckets.reduce((sum, one) => sum + one.count + one.notApplicable + one.errors, 0)
    return { group, total }
  })
  return groups
    .toSorted((a, b) => b.total - a.total)
    .slice(0, limits.scoreStatsGroups.value)
    .map(({ group }) => group)
}

function toBucket(
  [, , , bucket, count, mean, passRate, notApplicable, errors]: Row,
  nanos: bigint,
) {
  return {
    startedAt: BigInt(String(bucket)) * nanos,
    count: Number(count),
    mean: mean as number | null,
    passRate: passRate as number | null,
    notApplicable: Number(notApplicable),
    errors: Number(errors),
  }
}

function encodeScored({ value, id }: ScoredPosition): Position {
  return JSON.stringify({ value, id })
}

function decodeScored(position: Position): ScoredPosition {
  const { value, id } = parseObject(position)
  if (typeof value !== 'number' || typeof id !== 'string') throw new InvalidCursor()
  return { value, id }
}
