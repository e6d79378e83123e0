import type { CostRun, RunResult } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { describe, expect, test } from 'vitest'
import { compareWithEstimate } from './compare-estimate.ts'
import { listDifferences } from './compare-notes.ts'
import { compareModels, countMissing, planScoring, toModelResults } from './model-results.ts'
import { pairModels } from './pair-models.ts'

const result = (scenario: string, model: string, more: Partial<RunResult> = {}): RunResult => ({
  ...{ scenario_id: scenario, model_config_id: model, trace_id: null, status: 'completed' },
  ...{ turns: 1, tokens_in: 1, tokens_out: 1, cost_usd: 0.02, latency_ms: 100 },
  ...{ score: null, error: null, ...more },
})
const runOf = (results: RunResult[]) =>
  ({ results, summaries: [], execution: null }) as unknown as CostRun
const configs = [
  { id: 'a', label: 'Small' },
  { id: 'b', label: 'Large' },
  { id: 'c', label: 'Small' },
] as unknown as ModelConfig[]
const modelsOf = (results: RunResult[]) => toModelResults(runOf(results), configs)

describe('the results of a model', () => {
  test('cost the mean of those that did not fail, or an unknown amount if one cost is unknown', () => {
    const known = [result('1', 'a', { cost_usd: 0.01 }), result('2', 'a', { cost_usd: 0.03 })]
    const failed = result('4', 'a', { status: 'failed', cost_usd: 0 })
    expect(modelsOf([...known, failed])[0]?.costPerScenarioUsd).toBeCloseTo(0.02)
    const unknown = [...known, result('3', 'a', { cost_usd: null })]
    expect(modelsOf(unknown)[0]?.costPerScenarioUsd).toBeNull()
  })

  test('cost nothing per scenario that can be compared if all failed', () => {
    const [model] = modelsOf([result('1', 'a', { status: 'failed', cost_usd: 0 })])
    expect(model).toMatchObject({ costUsd: 0, costPerScenarioUsd: null, failedCount: 1 })
  })

  test('have different labels, also of deleted models', () => {
    const ids = ['a', 'c', 'x', 'y']
    const labels = modelsOf(ids.map((id) => result('1', id))).map(({ label }) => label)
    expect(labels).toEqual(['Small', 'Small (2)', 'Deleted model', 'Deleted model (2)'])
  })
})

test('what an execution runs has no result yet, or a failed one', () => {
  const scenarios = [{ id: '1' }, { id: '2' }] as unknown as CostRun['scenarios']
  const results = [result('1', 'a'), result('2', 'a', { status: 'failed' }), result('1', 'x')]
  const missing = countMissing({ scenarios, results }, ['a', 'b'])
  expect(missing.total).toBe(3)
  expect([...missing.byModel]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})

test('finished conversations without a score of the collection can be scored', () => {
  const recorded = { trace_id: 't' }
  const results = [
    ...[result('1', 'a', { ...recorded, score: 1 }), result('2', 'a', recorded)],
    ...[result('3', 'a', { ...recorded, status: 'failed' }), result('4', 'a')],
    result('1', 'b', recorded),
  ]
  const execution = { collection_id: 'c' } as CostRun['execution']
  const plan = (collectionId: string) =>
    planScoring({ ...runOf(results), execution }, ['a'], collectionId)
  expect(plan('')).toEqual({ count: 0, removesScores: false })
  expect(plan('c')).toEqual({ count: 1, removesScores: false })
  expect(plan('other')).toEqual({ count: 2, removesScores: true })
})

describe('the candidates of a recommendation', () => {
  test('are compared by the scenarios that all models have run, in the same order', () => {
    const { candidates } = compareModels(
      modelsOf([
        ...[result('1', 'a', { score: 1 }), result('2', 'a', { score: 0, cost_usd: 0.04 })],
        ...[result('2', 'b', { score: 0.5 }), result('1', 'b', { score: 0.9 })],
        result('3', 'b', { score: 0, cost_usd: 9 }),
      ]),
    )
    expect(candidates.map(({ label, scores }) => [label, scores])).toEqual([
      ['Small', [1, 0]],
      ['Large', [0.9, 0.5]],
    ])
    expect(candidates[0]?.cost_usd).toBeCloseTo(0.03)
    expect(candidates[1]?.cost_usd).toBeCloseTo(0.02)
  })

  test('have the scores of the scenarios that are scored for all models', () => {
    const { candidates, scoredCount } = compareModels(
      modelsOf([
        ...[result('1', 'a', { score: 1 }), result('2', 'a', { score: 0.4 })],
        ...[result('1', 'b', { score: null }), result('2', 'b', { score: 0.6 })],
      ]),
    )
    expect(candidates.map(({ scores }) => scores)).toEqual([[0.4], [0.6]])
    expect(scoredCount).toBe(1)
    const none = compareModels(modelsOf([result('1', 'a'), result('1', 'b')])).candidates
    expect(none.map(({ scores }) => scores)).toEqual([undefined, undefined])
  })

  test('are no models that failed in all scenarios, and no scenarios that failed with a model', () => {
    const failed = { status: 'failed', cost_usd: 0, latency_ms: 1 } as const
    const compared = compareModels(
      modelsOf([
        ...[result('1', 'a'), result('2', 'a', failed)],
        ...[result('1', 'b'), result('2', 'b')],
        ...[result('1', 'x', failed), result('2', 'x', failed)],
      ]),
    )
    expect(compared).toMatchObject({
      candidates: [
        { label: 'Small', cost_usd: 0.02, latency_ms: 100 },
        { label: 'Large', cost_usd: 0.02, latency_ms: 100 },
      ],
      ...{ scenarioCount: 1, failedCount: 1, failedModels: ['Deleted model'] },
    })
  })

  test.each([
    ['one model', [result('1', 'a')]],
    ['models without a common scenario', [result('1', 'a'), result('2', 'b')]],
    ['a model and one that failed', [result('1', 'a'), result('1', 'b', { status: 'failed' })]],
  ])('do not exist for %s', (_, results) => {
    expect(compareModels(modelsOf(results)).candidates).toEqual([])
  })
})

describe('the actual cost', () => {
  const estimate = { costUsd: 1, costUsdP10: 0.5, costUsdP90: 2, costPerScenarioUsd: 0.01 }
  const [one] = modelsOf([result('1', 'a')])

  test.each([
    [0.001, 'actual $0.0010, below it'],
    [0.01, 'actual $0.010, within it'],
    [0.03, 'actual $0.030, above it'],
  ])('of $%d is %s', (costPerScenarioUsd, verdict) => {
    const compared = compareWithEstimate({ ...one!, costPerScenarioUsd }, estimate)
    expect(compared).toEqual({ interval: '$0.0050 to $0.020', verdict })
  })

  test('is not compared with an unknown estimate', () => {
    expect(compareWithEstimate(one!, undefined)).toBeUndefined()
    expect(compareWithEstimate(one!, { ...estimate, costUsdP10: null })).toBeUndefined()
  })
})

test('models of two runs are paired, with the change of their cost', () => {
  const before = runOf([result('1', 'a'), result('1', 'b', { cost_usd: 0 })])
  const after = runOf([result('9', 'a', { cost_usd: 0.03 }), result('9', 'c')])
  const pairs = pairModels(before, after, configs)
  expect(pairs.map(({ configId, costChange }) => [configId, costChange])).toEqual([
    ['a', '+50%'],
    ['b', undefined],
    ['c', undefined],
  ])
})

test('what two runs do not have in common is listed', () => {
  const of = (goals: readonly string[], collection: string | null) =>
    ({
      scenarios: goals.map((goal) => ({ turns: [], conversation_plan: { goal } })),
      execution: { collection_id: collection },
    }) as unknown as CostRun
  expect(listDifferences(of(['x', 'y'], 'c'), of(['y', 'x'], 'c'))).toEqual([])
  expect(listDifferences(of(['x', 'y'], 'c'), of(['y'], null))).toEqual([
    'They have 1 scenario in common.',
    'Different collections scored them, or only one was scored.',
  ])
  expect(listDifferences(of(['x'], null), of(['y'], null))).toHaveLength(1)
})
