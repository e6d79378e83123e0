import { cohensKappa } from '../../server/src/domain/agreement.ts'

/*
 * How well the verdicts on labeled cases agree with the labels.
 */

export interface Agreement {
  readonly cases: number
  /** How many cases have a fault. */
  readonly faulty: number
  /** The share of faults among the cases that were found; null when none was. */
  readonly precision: number | null
  /** The share of the cases with a fault that were found. */
  readonly recall: number
  /** The harmonic mean of precision and recall. */
  readonly f1: number
  /** Cohen's kappa: 1 for perfect agreement, 0 for that of chance; null where all verdicts are the same. */
  readonly kappa: number | null
}

export function measureAgreement(labels: readonly boolean[], found: readonly boolean[]): Agreement {
  const cases = labels.length
  const faulty = labels.filter(Boolean).length
  const foundCount = found.filter(Boolean).length
  const hits = labels.filter((isFaulty, index) => isFaulty && found[index]).length
  return {
    ...{ cases, faulty },
    precision: foundCount === 0 ? null : hits / foundCount,
    recall: faulty === 0 ? 0 : hits / faulty,
    f1: hits === 0 ? 0 : (2 * hits) / (foundCount + faulty),
    kappa: cohensKappa({
      ...{ bothFailed: hits, bothPassed: cases - faulty - foundCount + hits },
      ...{ falsePasses: faulty - hits, falseFails: foundCount - hits },
    }),
  }
}

export function formatAgreement({ precision, recall, f1, kappa }: Agreement): string {
  const rest = { recall, F1: f1, kappa }
  const texts = Object.entries(rest).map(
    ([name, value]) => `${name} ${value?.toFixed(2) ?? 'unknown'}`,
  )
  return [`precision ${precision?.toFixed(2) ?? 'unknown'}`, ...texts].join(', ')
}
