import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
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

/** As many scores as a person can have on a trace. */
export const allOfPerson = (traceId: string, authorId: string): readonly Score[] =>
  Array.from({ length: limits.personScores.value }, () =>
    score(randomUUID(), { traceId, source: 'person', authorId }),
  )

export const score = (id: string, rest: Partial<Score> = {}): Score => ({ ...plain, id, ...rest })
