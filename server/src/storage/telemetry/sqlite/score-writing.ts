import type { DatabaseSync } from 'node:sqlite'
import { limits } from '@assay/contract/limits.ts'
import type { Score } from '../../../domain/score.ts'
import { prepareRows } from './database.ts'
import type { RowCounts } from './row-counts.ts'
import { toScoreRow } from './score-columns.ts'
import {
  countScoresOfPerson,
  deleteScore,
  deleteScoresOfTrace,
  findScore,
  findTraceNo,
  latestScoresOfTrace,
  markLatestScores,
  moveScoresOfTrace,
  putScore,
  setIsLatest,
} from './statements/scores.ts'

/*
 * Writes scores, within the open transaction.
 */

export interface ScoreWriting {
  /** Scores of other traces than those that exist are not written, nor too many of one person. */
  record(projectNo: number, scores: readonly Score[]): RecordedOnTraces
  /** With an author, only scores that this person gave. Returns how many were removed. */
  remove(
    projectNo: number,
    traceId: string,
    scoreIds: readonly string[],
    authorId: string | null,
  ): number
  moveOfTrace(fromNo: number, toNo: number, traceNo: number): void
  /** Removes at most `limit` scores and returns how many. */
  removeByTrace(projectNo: number, traceNo: number, limit: number): number
}

export interface RecordedOnTraces {
  /** Those that exist. */
  readonly traceIds: readonly string[]
  /** Those on which a person has as many scores as possible. */
  readonly fullTraceIds: readonly string[]
}

export function prepareScoreWriting(
  db: DatabaseSync,
  addToRowCount: RowCounts['add'],
): ScoreWriting {
  const selectTraceNo = prepareRows(db, findTraceNo)
  const deleteOne = db.prepare(deleteScore)
  const deleteOfTrace = db.prepare(deleteScoresOfTrace)
  const move = db.prepare(moveScoresOfTrace)
  const markLatest = db.prepare(markLatestScores)
  const markNew = prepareMarkNew(db)

  const getTraceNo = (projectNo: number, traceId: string): number | undefined => {
    const row = selectTraceNo.get(projectNo, traceId) as unknown as [number] | undefined
    return row?.[0]
  }
  const recordOne = prepareRecordOne(db, addToRowCount)
  return {
    record(projectNo, scores) {
      const traceIds: string[] = []
      const fullTraceIds: string[] = []
      for (const [traceId, own] of Map.groupBy(scores, (score) => score.traceId)) {
        const traceNo = getTraceNo(projectNo, traceId)
        if (traceNo === undefined) continue
        traceIds.push(traceId)
        const outcomes = own.map((score) => ({ score, is: recordOne(projectNo, traceNo, score) }))
        if (outcomes.some(({ is }) => is === 'refused')) fullTraceIds.push(traceId)
        if (outcomes.some(({ is }) => is === 'known')) markLatest.run({ traceNo })
        else
          markNew(
            traceNo,
            outcomes.flatMap(({ score, is }) => (is === 'added' ? score : [])),
          )
      }
      return { traceIds, fullTraceIds }
    },

    remove(projectNo, traceId, scoreIds, authorId) {
      const traceNo = getTraceNo(projectNo, traceId)
      if (traceNo === undefined) return 0
      let removed = 0
      for (const id of scoreIds) {
        removed += Number(deleteOne.run({ traceNo, id, authorId }).changes)
      }
      if (removed > 0) markLatest.run({ traceNo })
      addToRowCount(projectNo, 'scores', -removed)
      return removed
    },

    moveOfTrace(fromNo, toNo, traceNo) {
      const moved = Number(move.run({ toNo, traceNo }).changes)
      addToRowCount(fromNo, 'scores', -moved)
      addToRowCount(toNo, 'scores', moved)
    },

    removeByTrace(projectNo, traceNo, limit) {
      const removed = Number(deleteOfTrace.run({ traceNo, limit }).changes)
      addToRowCount(projectNo, 'scores', -removed)
      return removed
    },
  }
}

/** New scores of a person with too many on the trace are refused; a later version of a score is not replaced. */
function prepareRecordOne(db: DatabaseSync, addToRowCount: RowCounts['add']) {
  const selectScore = prepareRows(db, findScore)
  const countOfPerson = prepareRows(db, countScoresOfPerson)
  const put = db.prepare(putScore)
  const isFull = (traceNo: number, { source, authorId }: Score): boolean => {
    if (source !== 'person') return false
    const [count] = countOfPerson.get(traceNo, authorId) as unknown as [number]
    return count >= limits.personScores.value
  }
  return (projectNo: number, traceNo: number, score: Score) => {
    const row = selectScore.get(traceNo, score.id) as unknown as [string] | undefined
    if (row === undefined && isFull(traceNo, score)) return 'refused'
    if (row !== undefined && BigInt(row[0]) > score.updatedAt) return 'known'
    put.run(traceNo, projectNo, ...toScoreRow(score))
    if (row === undefined) addToRowCount(projectNo, 'scores', 1)
    return row === undefined ? 'added' : 'known'
  }
}

/** As `markLatestScores` after new scores were added, without reading all earlier ones of the trace. */
function prepareMarkNew(db: DatabaseSync) {
  const selectLatest = prepareRows(db, latestScoresOfTrace)
  const set = db.prepare(setIsLatest)
  return (traceNo: number, added: readonly Score[]) => {
    const rows = selectLatest.all(traceNo) as unknown as readonly [string, string, string][]
    const latest = new Map(rows.map(([name, id, at]) => [name, { id, createdAt: BigInt(at) }]))
    const marked = new Set<string>()
    for (const score of added) {
      if (score.status !== 'scored' || score.spanId !== null) continue
      const before = latest.get(score.name)
      if (before !== undefined && isAfter(before, score)) continue
      if (before !== undefined && !marked.delete(before.id)) {
        set.run({ traceNo, id: before.id, isLatest: 0 })
      }
      latest.set(score.name, score)
      marked.add(score.id)
    }
    for (const id of marked) set.run({ traceNo, id, isLatest: 1 })
  }
}

type Placed = Pick<Score, 'id' | 'createdAt'>

function isAfter(a: Placed, b: Placed): boolean {
  return a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt
}
