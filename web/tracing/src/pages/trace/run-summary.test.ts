import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import { expect, test } from 'vitest'
import { findCollectionOfRun, partResults, summarizeRun } from './run-summary.ts'

const result = (
  status: 'scored' | 'not_applicable' | 'error',
  passed: boolean,
  cost: number | null = null,
) => ({
  ...{ id: 'r', run_id: 'run', evaluator_id: 'e', evaluator_name: 'Polite' },
  ...{
    eval_type: 'model_judge' as const,
    status,
    score: 1,
    passed,
    reasoning: 'Not scored: timeout: late.',
  },
  ...{
    criteria: [],
    issues: [],
    evidence: [],
    confidence: null,
    tokens_in: null,
    tokens_out: null,
  },
  ...{ cost_usd: cost, latency_ms: 1, created_at: '2026-01-01T00:00:00Z' },
})
const run = (
  results: EvaluationRun['results'],
  counts: Partial<EvaluationRun> = {},
): EvaluationRun => ({
  ...{ runId: 'run', averageScore: 0.5, passRate: 0.5, scoredCount: 2 },
  ...{ notApplicableCount: 0, errorCount: 0, results, ...counts },
})

test('a run is summarized by what counts, with what does not count apart', () => {
  const results = [
    result('scored', true, 0.01),
    result('scored', false, 0.02),
    result('not_applicable', true),
  ]
  expect(summarizeRun(run(results, { notApplicableCount: 1 }))).toBe(
    '1 of 2 passed, mean 0.50, 1 not applicable, $0.030',
  )
  const failed = run([result('error', false)], { scoredCount: 0, errorCount: 1 })
  expect(summarizeRun(failed)).toBe('Nothing scored, 1 not scored')
})

test('failures are listed first, and what does not apply apart, in the order of the collection', () => {
  const results = [
    { ...result('not_applicable', true), id: 'none' },
    { ...result('scored', true), id: 'passed' },
    { ...result('scored', false), id: 'failed' },
    { ...result('error', false), id: 'error' },
    { ...result('scored', false), id: 'failed later' },
  ]
  const { applicable, others } = partResults(results)
  expect(applicable.map(({ id }) => id)).toEqual(['failed', 'failed later', 'error', 'passed'])
  expect(others.map(({ id }) => id)).toEqual(['none'])
})

test('a run belongs to the collection with the same evaluators in the same order', () => {
  const collections = [
    { evaluator_ids: ['e'] },
    { evaluator_ids: ['e', 'f'] },
  ] as EvaluatorCollection[]
  const both = [result('scored', true), { ...result('scored', true), evaluator_id: 'f' }]
  expect(findCollectionOfRun(collections, run(both))).toBe(collections[1])
  expect(findCollectionOfRun(collections, run(both.toReversed()))).toBeUndefined()
  expect(findCollectionOfRun(undefined, run(both))).toBeUndefined()
})
