import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDifferent, isScoredPair, pairResults, type ScoredPair } from './pair-results.ts'

type Status = EvaluationResult['status']

const result = (id: string, score: number, status: Status = 'scored'): EvaluationResult => ({
  ...{ id: `${id} ${score}`, run_id: 'run', evaluator_id: id, evaluator_name: id },
  ...{ eval_type: 'offline_deterministic', status, score, passed: score >= 0.5, reasoning: '' },
  ...{ criteria: [], issues: [], evidence: [], confidence: null },
  ...{ tokens_in: null, tokens_out: null, cost_usd: null, latency_ms: 1 },
  created_at: '2026-01-01T00:00:00Z',
})
const run = (...results: EvaluationResult[]): EvaluationRun => ({
  ...{ runId: 'run', averageScore: 0, passRate: 0, scoredCount: 0 },
  ...{ notApplicableCount: 0, errorCount: 0, results },
})
const paired = (runsOfA: readonly EvaluationRun[], runsOfB: readonly EvaluationRun[]) =>
  pairResults(runsOfA, runsOfB).map(({ name, a, b }) => [name, a?.score, b?.score])

describe('the results of two traces', () => {
  test('are paired by evaluator, the largest difference first, whichever trace is better', () => {
    const runA = run(result('near', 0.5), result('equal', 1), result('far', 1))
    const runB = run(result('far', 0), result('equal', 1), result('near', 0.6))
    expect(paired([runA], [runB])).toEqual([
      ['far', 1, 0],
      ['near', 0.5, 0.6],
      ['equal', 1, 1],
    ])
  })

  test('are the latest of each evaluator, also if it was not in the latest run', () => {
    const runs = [run(result('one', 0.9)), run(result('one', 0.1), result('other', 0.4))]
    expect(paired(runs, [run(result('one', 0.9), result('other', 0.4))])).toEqual([
      ['one', 0.9, 0.9],
      ['other', 0.4, 0.4],
    ])
  })

  test('of an evaluator that scored one trace come last; without those that scored none', () => {
    const runA = run(
      result('a only', 1),
      result('no score', 1, 'not_applicable'),
      result('failed', 0, 'error'),
      result('equal', 1),
    )
    const runB = run(result('equal', 1), result('failed', 1), result('no score', 0, 'error'))
    expect(paired([runA], [runB])).toEqual([
      ['equal', 1, 1],
      ['a only', 1, undefined],
      ['failed', 0, 1],
    ])
  })

  test('are not those of an earlier run if the evaluator does not apply any more', () => {
    const runs = [run(result('one', 1, 'not_applicable')), run(result('one', 0.2))]
    expect(paired(runs, [])).toEqual([])
  })

  test('stay when a later run could not decide, unless they no longer apply', () => {
    const failing = run(result('one', 0, 'error'), result('other', 0, 'error'))
    const runs = [failing, run(result('other', 0, 'not_applicable')), run(result('one', 0.9))]
    expect(paired(runs, [run(result('one', 0.4), result('other', 0.4))])).toEqual([
      ['one', 0.9, 0.4],
      ['other', 0, 0.4],
    ])
  })

  test('are the same pairs with the sides swapped', () => {
    const status = fc.constantFrom<Status>('scored', 'not_applicable', 'error')
    const results = fc.array(
      fc
        .tuple(fc.constantFrom('p', 'q', 'r', 's'), fc.integer({ min: 0, max: 4 }), status)
        .map(([id, quarters, is]) => result(id, quarters / 4, is)),
    )
    const runs = fc.array(
      results.map((some) => run(...some)),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(runs, runs, (ofA, ofB) => {
        const swapped = pairResults(ofB, ofA).map(({ a, b, ...pair }) => ({ ...pair, a: b, b: a }))
        expect(pairResults(ofA, ofB)).toEqual(swapped)
      }),
    )
  })
})

test('a pair differs by its score or by its outcome', () => {
  const pairOf = (a: EvaluationResult, b: EvaluationResult) =>
    pairResults([run(a)], [run(b)]).find(isScoredPair) as ScoredPair
  const one = result('one', 0.6)
  expect(isDifferent(pairOf(one, result('one', 0.7)))).toBe(true)
  expect(isDifferent(pairOf(one, { ...one, passed: false }))).toBe(true)
  expect(isDifferent(pairOf(one, { ...one, reasoning: 'Another reason.' }))).toBe(false)
})
