import { emptyObject } from '../../../domain/json-text.ts'
import type { Score } from '../../../domain/score.ts'
import { start } from './samples.ts'

/*
 * Scores for the tests of the stores.
 */

const plain: Score = {
  id: 'score',
  traceId: 'trace',
  spanId: null,
  name: 'quality',
  evaluatorId: null,
  runId: null,
  source: 'evaluator',
  authorId: null,
  status: 'scored',
  value: 1,
  passed: true,
  reasoning: '',
  evalType: null,
  tokensIn: null,
  tokensOut: null,
  costUsd: null,
  latencyMs: null,
  details: emptyObject,
  createdAt: start,
  updatedAt: start,
}

export const score = (id: string, rest: Partial<Score> = {}): Score => ({ ...plain, id, ...rest })
