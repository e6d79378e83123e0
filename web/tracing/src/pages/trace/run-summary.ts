import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
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

const byOutcome: readonly Outcome[] = ['failed', 'error', 'passed']

/** Those that apply, failures first, apart from the others; within an outcome in the order of the collection. */
export function partResults(results: readonly EvaluationResult[]) {
  const place = (result: EvaluationResult) => byOutcome.indexOf(outcomeOf(result))
  const applicable = results.filter(({ status }) => status !== 'not_applicable')
  return {
    applicable: applicable.toSorted((one, other) => place(one) - place(other)),
    others: results.filter(({ status }) => status === 'not_applicable'),
  }
}

/** The collection with the evaluators of the run. Undefined if it has changed since. */
export function findCollectionOfRun(
  collections: readonly EvaluatorCollection[] | undefined,
  { results }: EvaluationRun,
): EvaluatorCollection | undefined {
  const ids = results.map(({ evaluator_id: id }) => id).join()
  return collections?.find(({ evaluator_ids }) => evaluator_ids.join() === ids)
}
