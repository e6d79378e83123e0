import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import { formatCost } from '@assay/ui/number-format.ts'
import { formatScore, type Outcome, outcomeOf } from '../../evaluation/score-format.ts'

/** `8 of 10 passed, mean 0.86, 3 not applicable, $0.020`. */
export function summarizeRun(run: EvaluationRun): string {
  const { scoredCount, notApplicableCount, errorCount, results } = run
  const passed = results.filter(({ status, passed: isPassed }) => status === 'scored' && isPassed)
  const costs = results.flatMap(({ cost_usd }) => cost_usd ?? [])
  const parts = [
    scoredCount === 0 ? 'Nothing scored' : `${passed.length} of ${scoredCount} passed`,
    scoredCount === 0 ? '' : `mean ${formatScore(run.averageScore)}`,
    notApplicableCount === 0 ? '' : `${notApplicableCount} not applicable`,
    errorCount === 0 ? '' : `${errorCount} not scored`,
    costs.length === 0 ? '' : formatCost(costs.reduce((sum, cost) => sum + cost, 0)),
  ]
  return parts.filter(Boolean).join(', ')
}

const byOutcome: readonly Outcome[] = ['failed', 'error', 'passed', 'not_applicable']

/** Failures first; those of one outcome in the order of the collection. */
export function failuresFirst(results: readonly EvaluationResult[]): readonly EvaluationResult[] {
  const place = (result: EvaluationResult) => byOutcome.indexOf(outcomeOf(result))
  return results.toSorted((one, other) => place(one) - place(other))
}
