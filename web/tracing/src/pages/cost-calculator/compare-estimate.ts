import type { ModelEstimate } from '@assay/contract/cost-calculator.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import type { ModelResults } from './model-results.ts'

type Estimated = Pick<ModelEstimate, 'costUsdP10' | 'costUsdP90' | 'costPerScenarioUsd' | 'costUsd'>

/** The estimated interval of a scenario and how the actual cost compares; undefined if either is unknown. */
export function compareWithEstimate(
  { costPerScenarioUsd: actual, results }: Pick<ModelResults, 'costPerScenarioUsd' | 'results'>,
  estimate: Estimated | undefined,
): { readonly interval: string; readonly verdict: string } | undefined {
  if (estimate === undefined) return undefined
  const { costUsd, costUsdP10: low, costUsdP90: high, costPerScenarioUsd: each } = estimate
  if (costUsd === null || low === null || high === null || each === null) return undefined
  const scale = costUsd === 0 ? 0 : each / costUsd
  const interval = `${formatCost(low * scale)} to ${formatCost(high * scale)}`
  if (actual === null || results.length === 0) return { interval, verdict: '' }
  const position =
    actual < low * scale ? 'below it' : actual > high * scale ? 'above it' : 'within it'
  return { interval, verdict: `actual ${formatCost(actual)}, ${position}` }
}
