import type { EvaluatorAgreement } from '../../api/scores.ts'
import { formatScore } from '../../evaluation/score-format.ts'

/** With fewer compared traces, agreement is not rated. */
export const ratedTracesMin = 20

/** The readings of Cohen's kappa by Landis and Koch (1977). */
const readings = [
  { below: 0, text: 'Poor' },
  { below: 0.2, text: 'Slight' },
  { below: 0.4, text: 'Fair' },
  { below: 0.6, text: 'Moderate' },
  { below: 0.8, text: 'Substantial' },
  { below: Number.POSITIVE_INFINITY, text: 'Almost perfect' },
] as const

/** What the agreement of an evaluator with people means. */
export function describeAgreement({
  traces,
  kappa,
}: Pick<EvaluatorAgreement, 'traces' | 'kappa'>): string {
  if (traces < ratedTracesMin) return 'Too few traces'
  if (kappa === null) return 'All verdicts are the same'
  return readings.find(({ below }) => kappa < below)!.text
}

/** With two decimals, and a minus sign unless it is rounded to 0. */
export function formatKappa(kappa: number): string {
  const text = formatScore(Math.abs(kappa))
  return kappa < 0 && Number(text) > 0 ? `−${text}` : text
}

const dayMs = 86_400_000
/** For clocks that differ, and for responses that have been shown for a while. */
const toleranceMs = 3_600_000

/** Whether counts cover the last 30 days. */
export function isComplete(completeFrom: string, nowMs: number): boolean {
  return Date.parse(completeFrom) <= nowMs - 30 * dayMs + toleranceMs
}
