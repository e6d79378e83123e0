import type { CostRun, ModelSummary, RunResult } from '@assay/contract/cost-runs.ts'
import type { ModelConfig } from '@assay/contract/model-configs.ts'
import type { Candidate } from '@assay/contract/recommendations.ts'

/*
 * The results of a run by model.
 */

export interface ModelResults {
  readonly configId: string
  /** Unique in the run. */
  readonly label: string
  readonly results: readonly RunResult[]
  readonly failedCount: number
  /** Of the agent, in the mean of the results; null if a cost is unknown, or there are none. */
  readonly costPerScenarioUsd: number | null
  /** Of the last read; undefined while there is none. */
  readonly summary: ModelSummary | undefined
}

/** In the order of the last execution, then those of earlier ones. */
export function toModelResults(
  run: Pick<CostRun, 'results' | 'execution' | 'summaries'>,
  configs: readonly ModelConfig[],
): readonly ModelResults[] {
  const byModel = Map.groupBy(run.results, (one) => one.model_config_id)
  const ids = new Set([...(run.execution?.model_config_ids ?? []), ...byModel.keys()])
  const labels = labelModels([...ids], configs)
  return [...ids].map((configId) => {
    const results = byModel.get(configId) ?? []
    return {
      ...{ configId, results },
      label: labels.get(configId) ?? configId,
      failedCount: results.filter(({ status }) => status === 'failed').length,
      costPerScenarioUsd: meanCost(results),
      summary: run.summaries.find((one) => one.model_config_id === configId),
    }
  })
}

function meanCost(results: readonly RunResult[]): number | null {
  let sum = 0
  for (const { cost_usd: cost } of results) {
    if (cost === null) return null
    sum += cost
  }
  return results.length === 0 ? null : sum / results.length
}

function labelModels(
  ids: readonly string[],
  configs: readonly ModelConfig[],
): ReadonlyMap<string, string> {
  const used = new Map<string, number>()
  return new Map(
    ids.map((id) => {
      const label = configs.find((one) => one.id === id)?.label ?? 'Deleted model'
      const count = (used.get(label) ?? 0) + 1
      used.set(label, count)
      return [id, count === 1 ? label : `${label} (${count})`]
    }),
  )
}

/**
 * The candidates of a recommendation. Only scenarios that every model has executed count, so that all are compared by
 * the same ones; scores only if each of these has one.
 */
export function toCandidates(models: readonly ModelResults[]): readonly Candidate[] {
  const executed = models.filter(({ results }) => results.length > 0)
  const byScenario = executed.map(
    ({ results }) => new Map(results.map((one) => [one.scenario_id, one])),
  )
  const shared = [...(byScenario[0]?.keys() ?? [])].filter((id) =>
    byScenario.every((results) => results.has(id)),
  )
  if (executed.length < 2 || shared.length === 0) return []
  const chosen = byScenario.map((results) => shared.map((id) => results.get(id)!))
  const hasScores = chosen.every((results) => results.every(({ score }) => score !== null))
  return executed.map(({ label }, at) => {
    const results = chosen[at] ?? []
    const latencies = results.map(({ latency_ms }) => latency_ms).toSorted((a, b) => a - b)
    return {
      label,
      cost_usd: meanCost(results),
      latency_ms: latencies[Math.floor(latencies.length / 2)] ?? 0,
      ...(hasScores ? { scores: results.map(({ score }) => score ?? 0) } : {}),
    }
  })
}
