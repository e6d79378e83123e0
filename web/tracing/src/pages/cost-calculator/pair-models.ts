import type { CostRun } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import { type ModelResults, toModelResults } from './model-results.ts'

export interface ModelPair {
  readonly configId: string
  readonly label: string
  readonly a: ModelResults | undefined
  readonly b: ModelResults | undefined
  /** `+12%`; undefined if a cost is unknown or zero. */
  readonly costChange: string | undefined
}

const percent = new Intl.NumberFormat('en-US', {
  ...{ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 },
})

/** The models of two runs, those of the first one first. */
export function pairModels(
  a: CostRun,
  b: CostRun,
  configs: readonly ModelConfig[],
): readonly ModelPair[] {
  const [ofA, ofB] = [toModelResults(a, configs), toModelResults(b, configs)]
  const ids = new Set([...ofA, ...ofB].map(({ configId }) => configId))
  return [...ids].map((configId) => {
    const one = ofA.find((results) => results.configId === configId)
    const other = ofB.find((results) => results.configId === configId)
    const [before, after] = [one?.costPerScenarioUsd ?? 0, other?.costPerScenarioUsd ?? null]
    return {
      ...{ configId, a: one, b: other, label: (one ?? other)?.label ?? configId },
      costChange: before > 0 && after !== null ? percent.format(after / before - 1) : undefined,
    }
  })
}
