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
  /** Of the agent, failed conversations included; null if a cost is unknown. */
  readonly costUsd: number | null
  /** Of the agent, in the mean of those that did not fail; null if a cost is unknown, or there are none. */
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
      failedCount: results.length - results.filter(isFinished).length,
      costUsd: sumCosts(results),
      costPerScenarioUsd: meanCost(results.filter(isFinished)),
      summary: run.summaries.find((one) => one.model_config_id === configId),
    }
  })
}

const isFinished = ({ status }: RunResult) => status !== 'failed'

function sumCosts(results: readonly RunResult[]): number | null {
  let sum = 0
  for (const { cost_usd: cost } of results) {
    if (cost === null) return null
    sum += cost
  }
  return sum
}

function meanCost(results: readonly RunResult[]): number | null {
  const sum = sumCosts(results)
  return sum === null || results.length === 0 ? null : sum / results.length
}

/** The conversations that an execution runs: those of the models without a result, or with a failed one. */
export function countMissing(
  { scenarios, results }: Pick<CostRun, 'scenarios' | 'results'>,
  configIds: readonly string[],
): { readonly total: number; readonly byModel: ReadonlyMap<string, number> } {
  const finished = Map.groupBy(results.filter(isFinished), (one) => one.model_config_id)
  const byModel = new Map(
    configIds.map((id) => [id, scenarios.length - (finished.get(id)?.length ?? 0)]),
  )
  return { total: [...byModel.values()].reduce((sum, count) => sum + count, 0), byModel }
}

/** How many finished conversations an execution scores without running them again. `collectionId` may be empty. */
export function planScoring(
  { results, execution }: Pick<CostRun, 'results' | 'execution'>,
  configIds: readonly string[],
  collectionId: string,
): { readonly count: number; readonly removesScores: boolean } {
  if (collectionId === '') return { count: 0, removesScores: false }
  const isOther = execution?.collection_id !== collectionId
  const scored = results.filter(
    (one) =>
      isFinished(one) &&
      configIds.includes(one.model_config_id) &&
      one.trace_id !== null &&
      (isOther || one.score === null),
  )
  const removesScores = isOther && results.some(({ score }) => score !== null)
  return { count: scored.length, removesScores }
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

export interface ComparedModels {
  /** Empty if there are no two models to compare. */
  readonly candidates: readonly Candidate[]
  /** Scenarios that all compared models have finished. */
  readonly scenarioCount: number
  /** Those of them in which all have a score. */
  readonly scoredCount: number
  /** Scenarios that are left out because they failed with a model. */
  readonly failedCount: number
  /** The labels of the models that failed in all scenarios. */
  readonly failedModels: readonly string[]
}

/**
 * The candidates of a recommendation, all compared by the same scenarios. A failed conversation costs little and ends
 * early, so scenarios that failed with a model are left out, and models that failed in all of them as well.
 */
export function compareModels(models: readonly ModelResults[]): ComparedModels {
  const executed = models.filter(({ results }) => results.length > 0)
  const failed = executed.filter(({ results, failedCount }) => failedCount === results.length)
  const compared = executed.filter((one) => !failed.includes(one))
  const byScenario = compared.map(
    ({ results }) => new Map(results.map((one) => [one.scenario_id, one])),
  )
  const executedByAll = [...(byScenario[0]?.keys() ?? [])].filter((id) =>
    byScenario.every((results) => results.has(id)),
  )
  const shared = executedByAll.filter((id) =>
    byScenario.every((results) => isFinished(results.get(id)!)),
  )
  const scored = shared.filter((id) => byScenario.every((results) => scoreOf(results, id) !== null))
  return {
    candidates:
      compared.length < 2 || shared.length === 0
        ? []
        : compared.map(({ label }, at) => toCandidate(label, byScenario[at]!, shared, scored)),
    scenarioCount: shared.length,
    scoredCount: scored.length,
    failedCount: executedByAll.length - shared.length,
    failedModels: failed.map(({ label }) => label),
  }
}

type ResultsByScenario = ReadonlyMap<string, RunResult>

const scoreOf = (results: ResultsByScenario, id: string) => results.get(id)?.score ?? null

function toCandidate(
  label: string,
  byScenario: ResultsByScenario,
  shared: readonly string[],
  scored: readonly string[],
): Candidate {
  const results = shared.map((id) => byScenario.get(id)!)
  const latencies = results.map(({ latency_ms }) => latency_ms).toSorted((a, b) => a - b)
  const scores = scored.map((id) => scoreOf(byScenario, id) ?? 0)
  return {
    label,
    cost_usd: meanCost(results),
    latency_ms: latencies[Math.floor(latencies.length / 2)] ?? 0,
    ...(scores.length > 0 ? { scores } : {}),
  }
}
