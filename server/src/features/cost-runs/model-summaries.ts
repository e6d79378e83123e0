import type { ModelSummary } from '@assay/contract/cost-runs.ts'
import { estimateMean, interval95 } from '../../domain/mean-estimate.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'
import { nano } from './stored-runs.ts'

/** Of each model, in the order of `modelConfigIds`; others follow. */
export function summarizeModels(
  results: readonly CostResultRow[],
  modelConfigIds: readonly string[],
): ModelSummary[] {
  const byModel = Map.groupBy(results, (result) => result.model_config_id)
  const ids = new Set([...modelConfigIds.filter((id) => byModel.has(id)), ...byModel.keys()])
  return [...ids].map((id) => summarize(id, byModel.get(id) ?? []))
}

function summarize(id: string, results: readonly CostResultRow[]): ModelSummary {
  const latencies = results
    .filter(({ status }) => status !== 'failed')
    .map((result) => result.latency_ms)
    .toSorted((a, b) => a - b)
  const costs = results.flatMap(({ cost_nano_usd: cost }) => (cost === null ? [] : [cost]))
  const isPriced = costs.length === results.length
  return {
    model_config_id: id,
    cost_usd: isPriced ? costs.reduce((sum, cost) => sum + cost, 0) / nano : null,
    latency_ms_p50: quantile(latencies, 0.5),
    latency_ms_p90: quantile(latencies, 0.9),
    ...scoresOf(results),
  }
}

function scoresOf(results: readonly CostResultRow[]) {
  const scores = results.flatMap(({ score }) => (score === null ? [] : [score]))
  if (scores.length === 0) return { mean_score: null, score_low: null, score_high: null }
  const estimate = estimateMean(scores)
  if (scores.length < 2) return { mean_score: estimate.mean, score_low: null, score_high: null }
  const [score_low, score_high] = interval95(estimate)
  return { mean_score: estimate.mean, score_low, score_high }
}

/** The smallest value that at least this share does not exceed. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
