import type { DatabaseSync } from 'node:sqlite'
import type { Score } from '../../../domain/score.ts'
import { prepareRows } from './database.ts'
import type { RowCounts } from './row-counts.ts'
import { toScoreRow } from './score-columns.ts'
import {
  deleteScore,
  deleteScoresOfTrace,
  findScore,
  findTraceNo,
  markLatestScores,
  moveScoresOfTrace,
  putScore,
} from './statements/scores.ts'

/*
 * Writes scores, within the open transaction.
 */

export interface ScoreWriting {
  /** Returns the traces that exist; scores of others are not written. */
  record(projectNo: number, scores: readonly Score[]): readonly string[]
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

export function prepareScoreWriting(
  db: DatabaseSync,
  addToRowCount: RowCounts['add'],
): ScoreWriting {
  const selectTraceNo = prepareRows(db, findTraceNo)
  const selectScore = prepareRows(db, findScore)
  const put = db.prepare(putScore)
  const deleteOne = db.prepare(deleteScore)
  const deleteOfTrace = db.prepare(deleteScoresOfTrace)
  const move = db.prepare(moveScoresOfTrace)
  const markLatest = db.prepare(markLatestScores)

  const getTraceNo = (projectNo: number, traceId: string): number | undefined => {
    const row = selectTraceNo.get(projectNo, traceId) as unknown as [number] | undefined
    return row?.[0]
  }
  const recordOne = (projectNo: number, traceNo: number, score: Score) => {
    const row = selectScore.get(traceNo, score.id) as unknown as [string] | undefined
    if (row !== undefined && BigInt(row[0]) > score.updatedAt) return
    put.run(traceNo, projectNo, ...toScoreRow(score))
    if (row === undefined) addToRowCount(projectNo, 'scores', 1)
  }
  return {
    record(projectNo, scores) {
      const traceIds: string[] = []
      for (const [traceId, own] of Map.groupBy(scores, (score) => score.traceId)) {
        const traceNo = getTraceNo(projectNo, traceId)
        if (traceNo === undefined) continue
        traceIds.push(traceId)
        for (const score of own) recordOne(projectNo, traceNo, score)
        markLatest.run({ traceNo })
      }
      return traceIds
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
