import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { expect, test } from 'vitest'
import { findReviewed } from './find-reviewed.ts'

type Given = readonly [id: string, evaluator: string, status: string]

const runOf = (...given: readonly Given[]) =>
  ({
    results: given.map(([id, evaluator_id, status]) => ({ id, evaluator_id, status })),
  }) as unknown as EvaluationRun

test.each<[string, readonly EvaluationRun[], readonly string[]]>([
  [
    'the newest result of each evaluator',
    [runOf(['3', 'a', 'scored']), runOf(['2', 'b', 'scored'], ['1', 'a', 'scored'])],
    ['2', '3'],
  ],
  [
    'the newest that was decided, after a run whose model failed',
    [runOf(['3', 'a', 'error']), runOf(['2', 'a', 'error']), runOf(['1', 'a', 'scored'])],
    ['1'],
  ],
  [
    'the newest of an evaluator that never decided',
    [runOf(['2', 'a', 'error']), runOf(['1', 'a', 'error'])],
    ['2'],
  ],
])('people review %s', (_, runs, expected) => {
  expect([...findReviewed(runs)].sort()).toEqual(expected)
})
