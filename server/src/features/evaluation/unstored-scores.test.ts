import { expect, test } from 'vitest'
import { toJsonText } from '../../domain/json-text.ts'
import type { Score } from '../../domain/score.ts'
import { parseScores, serializeScores } from './unstored-scores.ts'

function score(id: string, changes: Partial<Score> = {}): Score {
  return {
    ...{ id, traceId: 't1', spanId: null, runId: 'r1', source: 'evaluator', authorId: null },
    ...{ name: 'Polite', evaluatorId: 'e1', evalType: 'model_judge', status: 'scored' },
    ...{ value: 1, passed: true, reasoning: 'I read it.', tokensIn: 1, tokensOut: null },
    ...{ costUsd: 0.1, latencyMs: 1.5, details: toJsonText({ issues: [], evidence: ['é'] }) },
    ...{ createdAt: 1_767_225_600_000_000_001n, updatedAt: 1_767_225_600_000_000_002n },
    ...changes,
  }
}

test('scores come back from JSON as they were', () => {
  const scores = [score('a'), score('b', { passed: false })]
  expect(parseScores(JSON.parse(JSON.stringify(serializeScores(scores))))).toEqual(scores)
})

test('scores that are too long together lose the details of the last, but no verdict or reasoning', () => {
  const details = toJsonText({ evidence: ['x'.repeat(100)] })
  const scores = [score('a', { details }), score('b', { details }), score('c', { details })]
  const failed = score('d', { details, passed: false })
  const length = 2 * details.length
  expect(parseScores(serializeScores([...scores, failed], length))).toEqual([
    ...scores.slice(0, 2),
    { ...scores[2], details: toJsonText({ issues: [] }) },
    { ...failed, details: toJsonText({ issues: ['I read it.'] }) },
  ])
})
