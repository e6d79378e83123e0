import type { EvaluationRun } from '@assay/contract/evaluations.ts'

/**
 * The ids of the results that people review: of each evaluator the newest that was decided, because one that could not
 * be decided says nothing about the trace. Without such a result, the newest. Runs are newest first.
 */
export function findReviewed(runs: readonly EvaluationRun[]): ReadonlySet<string> {
  const found = new Map<string, EvaluationRun['results'][number]>()
  for (const result of runs.flatMap(({ results }) => results)) {
    const newer = found.get(result.evaluator_id)
    const isDecidedFirst = newer?.status === 'error' && result.status !== 'error'
    if (newer === undefined || isDecidedFirst) found.set(result.evaluator_id, result)
  }
  return new Set([...found.values()].map(({ id }) => id))
}
