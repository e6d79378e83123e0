import type { Score } from '../../../domain/score.ts'
import { defineColumns } from './columns.ts'

/*
 * The columns of `scores`. A new column is declared here and added to the table in a migration.
 */

export const scoreColumns = defineColumns<Score>({
  traceId: ['trace_id', 'text'],
  id: ['score_id', 'text'],
  spanId: ['span_id', 'optional text'],
  name: ['name', 'text'],
  evaluatorId: ['evaluator_id', 'optional text'],
  runId: ['run_id', 'optional text'],
  source: ['source', 'text'],
  authorId: ['author_id', 'optional text'],
  status: ['status', 'text'],
  value: ['value', 'real'],
  passed: ['passed', 'boolean'],
  reasoning: ['reasoning', 'text'],
  evalType: ['eval_type', 'optional text'],
  tokensIn: ['tokens_in', 'optional integer'],
  tokensOut: ['tokens_out', 'optional integer'],
  costUsd: ['cost_usd', 'optional real'],
  latencyMs: ['latency_ms', 'optional real'],
  details: ['details', 'text'],
  createdAt: ['created_at', 'instant'],
  updatedAt: ['updated_at', 'instant'],
})

/** What a batch adds to a score. */
export const versionedScoreColumns = defineColumns<{
  readonly projectId: string
  readonly arrivedOn: string
  /** A decimal number. */
  readonly version: string
}>({
  projectId: ['project_id', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  version: ['version', 'text'],
})

/** Larger for a later update; of two with the same time, for the one that is recorded later. */
export function toScoreVersion({ updatedAt }: Score, recordedVersion: bigint): string {
  // Instants may be before 1970: moved to be positive.
  return String(((updatedAt + 2n ** 63n) << 64n) | recordedVersion)
}
