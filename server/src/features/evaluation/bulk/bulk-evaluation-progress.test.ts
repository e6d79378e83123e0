import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import { expect, test } from 'vitest'
import { countResults, emptyBulkEvaluationProgress } from './bulk-evaluation-progress.ts'

const failed = (reasoning: string) =>
  ({ eval_type: 'model_judge', status: 'error', passed: false, reasoning }) as const
const broken = failed('Not scored: provider_error: The key was refused.')
const late = failed('Not scored: timeout: The model did not answer in time.')
const refused = failed('Not scored: refused: The model refused to answer.')
const judged = { ...broken, status: 'scored', passed: true, reasoning: 'Fine.' } as const
const offline = { ...judged, eval_type: 'offline_deterministic' } as const

type Result = Pick<EvaluationResult, 'eval_type' | 'status' | 'passed' | 'reasoning'>

function failureAfter(traces: readonly (readonly Result[])[]) {
  const progress = emptyBulkEvaluationProgress(null)
  for (const results of traces) countResults({ results } as unknown as EvaluationRun, progress)
  return progress.modelFailure
}

test.each<readonly [what: string, readonly (readonly Result[])[], traces: number | undefined]>([
  ['failures', [[broken], [late], [broken, refused]], 3],
  [
    'failures beside evaluators without a model',
    [
      [offline, broken],
      [broken, offline],
    ],
    2,
  ],
  ['traces that no judge applies to between them', [[broken], [offline], [broken]], 2],
  ['refusals, which depend on the trace', [[refused], [refused]], undefined],
  ['a result of any judge', [[broken], [broken, judged]], undefined],
  ['a failure after a result', [[broken], [judged], [broken]], 1],
])('the traces in a row for which the model failed: %s', (_what, runs, traces) => {
  expect(failureAfter(runs)?.traces).toBe(traces)
})

test('the reason of the first failure is kept', () => {
  expect(failureAfter([[broken], [late]])?.reason).toBe('The key was refused.')
})
