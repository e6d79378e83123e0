/*
 * How far an evaluator and people agree on which traces pass.
 */

/** Traces that both gave a verdict on. */
export interface VerdictCounts {
  readonly bothPassed: number
  readonly bothFailed: number
  /** The evaluator passed them, people failed them. */
  readonly falsePasses: number
  /** The evaluator failed them, people passed them. */
  readonly falseFails: number
}

/** The share of equal verdicts; null without any. */
export function agreementRate(counts: VerdictCounts): number | null {
  const total = totalOf(counts)
  return total === 0 ? null : (counts.bothPassed + counts.bothFailed) / total
}

/**
 * Cohen's kappa: (p - e) / (1 - e), where p is the agreement rate and e the rate expected of two who give as many
 * passes each, but independently. Null where e is 1: all verdicts are the same, or there are none.
 */
export function cohensKappa(counts: VerdictCounts): number | null {
  const { bothPassed, bothFailed, falsePasses, falseFails } = counts
  const total = totalOf(counts)
  // Multiplied by the square of the total, the terms are integers, so a zero is exact.
  const expected =
    (bothPassed + falsePasses) * (bothPassed + falseFails) +
    (bothFailed + falseFails) * (bothFailed + falsePasses)
  const possible = total * total - expected
  return possible === 0 ? null : (total * (bothPassed + bothFailed) - expected) / possible
}

function totalOf({ bothPassed, bothFailed, falsePasses, falseFails }: VerdictCounts): number {
  return bothPassed + bothFailed + falsePasses + falseFails
}
