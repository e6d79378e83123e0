import type { Score } from '../../../domain/score.ts'
import { defineColumns, type Row } from './columns.ts'

/*
 * The columns of `scores` that hold the score itself. A new column is declared here and added to the table in
 * migrations.ts.
 */

export interface StoredScore extends Omit<Score, 'traceId' | 'passed'> {
  /** 1 or 0. */
  readonly passed: number
}

export const scoreColumns = defineColumns<StoredScore>({
  id: ['score_id', 'text'],
  spanId: ['span_id', 'text'],
  name: ['name', 'text'],
  evaluatorId: ['evaluator_id', 'text'],
  runId: ['run_id', 'text'],
  source: ['source', 'text'],
  authorId: ['author_id', 'text'],
  status: ['status', 'text'],
  value: ['value', 'real'],
  passed: ['passed', 'integer'],
  reasoning: ['reasoning', 'text'],
  evalType: ['eval_type', 'text'],
  tokensIn: ['tokens_in', 'integer'],
  tokensOut: ['tokens_out', 'integer'],
  costUsd: ['cost_usd', 'real'],
  latencyMs: ['latency_ms', 'real'],
  details: ['details', 'text'],
  createdAt: ['created_at', 'instant'],
  updatedAt: ['updated_at', 'instant'],
})

export type ScoreRow = Row<StoredScore>

export function toScoreRow(score: Score): ScoreRow {
  return scoreColumns.toRow({ ...score, passed: score.passed ? 1 : 0 })
}

export function toScore(traceId: string, row: ScoreRow): Score {
  const score = scoreColumns.fromRow(row)
  return { ...score, traceId, passed: score.passed === 1 }
}
