import type { ModelSummary, RunResult } from '@assay/contract/cost-runs.ts'
import { estimateMean, interval95 } from '../../domain/mean-estimate.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'

/** Of the results of one run: models in the order of `modelConfigIds`, then those of earlier executions. */
export function summarizeResults(
  results: readonly SummarizedRow[],
  modelConfigIds: readonly string[],
): ModelSummary[] {
  const byModel = Map.groupBy(results, ({ model_config_id: id }) => id)
  const ids = new Set([...modelConfigIds, ...byModel.keys()])
  return [...ids].flatMap((id) => {
    const ofModel = byModel.get(id)
    return ofModel === undefined ? [] : [summarize(id, ofModel)]
  })
}

export type SummarizedRow = Pick<
  CostResultRow,
  'model_config_id' | 'status' | 'cost_nano_usd' | 'latency_ms' | 'score'
>

function summarize(id: string, results: readonly SummarizedRow[]): ModelSummary {
  const latencies = results
    .flatMap((one) => (one.status === 'failed' ? [] : one.latency_ms))
    .toSorted((a, b) => a - b)
  const scores = results.flatMap(({ score }) => score ?? [])
  const estimate = scores.length === 0 ? undefined : estimateMean(scores)
  const [low, high] =
    estimate === undefined || scores.length < 2 ? [null, null] : interval95(estimate)
  return {
    model_config_id: id,
    cost_usd: sumOfCosts(results),
    latency_ms_p50: quantile(latencies, 0.5),
    latency_ms_p90: quantile(latencies, 0.9),
    mean_score: estimate?.mean ?? null,
    ...{ score_low: low, score_high: high },
  }
}

/** Null if one is unknown: the sum of the others would look like the whole. */
function sumOfCosts(results: readonly SummarizedRow[]): number | null {
  let nanos = 0
  for (const { cost_nano_usd: cost } of results) {
    if (cost === null) return null
    nanos += cost
  }
  return toUsd(nanos)
}

function quantile(ascending: readonly number[], part: number): number | null {
  return ascending[Math.max(0, Math.ceil(part * ascending.length) - 1)] ?? null
}

export function toApiResult(row: CostResultRow): RunResult {
  const { scenario_id, model_config_id, trace_id, status, turns, tokens_in, tokens_out } = row
  const { cost_nano_usd: cost, latency_ms, score, error } = row
  return {
    ...{ scenario_id, model_config_id, trace_id, status, turns, tokens_in, tokens_out },
    cost_usd: cost === null ? null : toUsd(cost),
    ...{ latency_ms, score, error },
  }
}

export function toUsd(nanos: number): number {
  return nanos / 1e9
}
