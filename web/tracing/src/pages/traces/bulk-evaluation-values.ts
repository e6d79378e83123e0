import { limits } from '@assay/contract/limits.ts'
import {
  type ChosenEvaluation,
  type EvaluationChoice,
  noEvaluationChoice,
  toEvaluationBody,
} from '../../api/evaluation-choices.ts'
import type { BulkEvaluationBody } from '../../api/evaluations.ts'
import { parseNumber } from '../../form/parse-number.ts'
import { type TraceSearch, toTraceFilters } from '../../parts/trace-search.ts'

/*
 * An evaluation of many traces in a form, with its limits as text. The contract validates the result.
 */

export interface BulkEvaluationValues extends EvaluationChoice {
  readonly max_traces: string
  readonly max_cost_usd: string
}

export const initialBulkEvaluation: BulkEvaluationValues = {
  ...noEvaluationChoice,
  max_traces: String(limits.bulkEvaluationTraces.value),
  max_cost_usd: String(limits.bulkEvaluationUsd.value),
}

/** Empty text is not a number: it would stand for the default of the service, which the form does not show. */
export function parseLimit(text: string): number {
  return parseNumber(text) ?? Number.NaN
}

/** Without judges, there is no cost to limit. */
export function toBulkEvaluationBody(
  values: BulkEvaluationValues,
  chosen: ChosenEvaluation,
  search: TraceSearch,
  nowMs: number,
): BulkEvaluationBody {
  return {
    ...toEvaluationBody(chosen),
    filters: toTraceFilters(search, nowMs),
    max_traces: parseLimit(values.max_traces),
    ...(chosen.needsModel && { max_cost_usd: parseLimit(values.max_cost_usd) }),
  }
}
