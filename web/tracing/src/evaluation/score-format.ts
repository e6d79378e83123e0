import type { EvaluationResult } from '@assay/contract/evaluations.ts'

/*
 * Scores and verdicts as text.
 */

/** With two decimals; a score below 1 is never shown as 1. */
export function formatScore(score: number): string {
  return (score < 1 ? Math.min(score, 0.99) : score).toFixed(2)
}

export const outcomes = {
  passed: 'Passed',
  failed: 'Failed',
  not_applicable: 'Not applicable',
  error: 'Not scored',
} as const
export type Outcome = keyof typeof outcomes

export function outcomeOf({
  status,
  passed,
}: Pick<EvaluationResult, 'status' | 'passed'>): Outcome {
  if (status !== 'scored') return status
  return passed ? 'passed' : 'failed'
}

/** Without the words that repeat the outcome. */
export function reasonOf({ reasoning }: Pick<EvaluationResult, 'reasoning'>): string {
  return reasoning.replace(/^(?:Not applicable|Not scored): /, '')
}
