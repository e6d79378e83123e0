import type { ModelEstimate } from '@assay/contract/cost-calculator.ts'
import { limits } from '@assay/contract/limits.ts'
import { callShares } from './call-counts.ts'
import type { CalledModel } from './expected-usage.ts'
import { priorRuns } from './recorded-volumes.ts'
import type { RunShape, RunShapes } from './run-shapes.ts'

/*
 * The assumptions that the cost depends on most: the change of the mean when one of them is off by one standard deviation.
 */

type Driver = ModelEstimate['drivers'][number]

/** An assumption that may be off. */
export interface Uncertainty {
  readonly name: string
  /** By one standard deviation. */
  readonly changedBy: number
  readonly runs: RunShapes
  readonly changeModel: (model: CalledModel) => CalledModel
}

/** The largest effects on the cost. */
export function findDrivers(
  uncertainties: readonly Uncertainty[],
  model: CalledModel,
  effectOf: (runs: RunShapes, model: CalledModel) => number,
): Driver[] {
  return uncertainties
    .map(({ name, changedBy, runs, changeModel }) => ({
      ...{ name, changedBy, effectUsd: effectOf(runs, changeModel(model)) },
    }))
    .filter(({ effectUsd }) => effectUsd !== 0)
    .toSorted((a, b) => Math.abs(b.effectUsd) - Math.abs(a.effectUsd))
    .slice(0, limits.estimateDrivers.value)
}

export function listUncertainties(runs: RunShapes): Uncertainty[] {
  // Recorded runs make what they measure more certain.
  const measured = Math.sqrt(priorRuns / (priorRuns + runs.recordedRuns))
  const ofRuns = (name: string, change: (shape: RunShape, by: number) => RunShape): Uncertainty => {
    const changedBy = Math.exp(volumeSpread * measured)
    const shapes = runs.shapes.map((shape) => change(shape, changedBy))
    return { name, changedBy, runs: { ...runs, shapes }, changeModel: (model) => model }
  }
  const ofModel = (
    name: 'reasoningTokens' | 'fixedTokens' | 'cacheHitShare' | 'cachedShare',
    label: string,
    spread: number,
  ): Uncertainty => {
    const changedBy = Math.exp(spread)
    const changeModel = (model: CalledModel) => {
      const value = model[name]
      return value === undefined ? model : { ...model, [name]: value * changedBy }
    }
    return { name: label, changedBy, runs, changeModel }
  }
  return [
    ofRuns('calls_per_run', (shape, by) => ({
      ...shape,
      shares: callShares(shape.meanCalls * by, shape.callsSpread),
    })),
    ofRuns('growth_per_call', (shape, by) => ({ ...shape, growthTokens: shape.growthTokens * by })),
    ofRuns('output_per_call', (shape, by) => ({ ...shape, outputTokens: shape.outputTokens * by })),
    ofModel('reasoningTokens', 'reasoning_per_call', 0.7),
    ofModel('fixedTokens', 'prompt_and_tools', 0.15),
    // Downwards: they cannot exceed 1.
    ofModel('cacheHitShare', 'cache_hit_share', -0.4),
    ofModel('cachedShare', 'cached_share', -0.2),
  ]
}

const volumeSpread = 0.6
