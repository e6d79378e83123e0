import type { CostRun, RunResult } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { describe, expect, test } from 'vitest'
import { compareWithEstimate } from './compare-estimate.ts'
import { toCandidates, toModelResults } from './model-results.ts'
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
  test('cost their mean, or an unknown amount if one cost is unknown', () => {
    const known = [result('1', 'a', { cost_usd: 0.01 }), result('2', 'a', { cost_usd: 0.03 })]
    expect(modelsOf(known)[0]?.costPerScenarioUsd).toBeCloseTo(0.02)
    const unknown = [...known, result('3', 'a', { cost_usd: null })]
    expect(modelsOf(unknown)[0]?.costPerScenarioUsd).toBeNull()
  })

  test('have different labels, also of deleted models', () => {
    const ids = ['a', 'c', 'x', 'y']
    const labels = modelsOf(ids.map((id) => result('1', id))).map(({ label }) => label)
    expect(labels).toEqual(['Small', 'Small (2)', 'Deleted model', 'Deleted model (2)'])
  })
})

describe('the candidates of a recommendation', () => {
  test('are compared by the scenarios that all models have run, in the same order', () => {
    const candidates = toCandidates(
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

  test('have no scores if one result has none', () => {
    const candidates = toCandidates(
      modelsOf([result('1', 'a', { score: 1 }), result('1', 'b', { status: 'failed' })]),
    )
    expect(candidates.map(({ scores }) => scores)).toEqual([undefined, undefined])
  })

  test.each([
    ['one model', [result('1', 'a')]],
    ['models without a common scenario', [result('1', 'a'), result('2', 'b')]],
  ])('do not exist for %s', (_, results) => {
    expect(toCandidates(modelsOf(results))).toEqual([])
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
