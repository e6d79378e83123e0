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

/** Without the words that repeat the outcome, and with the kind of an error in words. */
export function reasonOf({ reasoning }: Pick<EvaluationResult, 'reasoning'>): string {
  return reasoning
    .replace(/^Not scored: ([a-z_]+):/, (_, kind: string) => `${errorKinds[kind] ?? kind}:`)
    .replace(/^(?:Not applicable|Not scored): /, '')
}

const errorKinds: Readonly<Record<string, string>> = {
  timeout: 'Timeout',
  provider_error: 'The model failed',
  refused: 'The model refused',
  invalid_output: 'Unusable answer from the model',
  context_too_long: 'Too long for the model',
  budget: 'The budget is spent',
}
