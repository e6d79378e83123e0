import type { Recommendation } from '@assay/contract/recommendations.ts'
import {
  type Comparison,
  compareCandidates,
  correctedP,
  significance,
} from './compare-candidates.ts'
import { byCost, isTakenAsExact, type Rated, type RatedCandidates } from './rate-candidates.ts'

/*
 * Chooses the candidate with the highest utility, if the samples suffice.
 */

export interface Decision {
  readonly verdict: Recommendation['verdict']
  readonly chosen: Rated | undefined
  readonly neededSamples: number | null
  readonly confidence: Recommendation['confidence']
  /** Of the first of the ranking with all others that meet the constraints. */
  readonly comparisons: readonly Comparison[]
  /** Those that the samples do not separate from it. */
  readonly open: readonly Comparison[]
  /** Corrected for the number of comparisons. */
  readonly p: number
}

const highConfidence = 0.01

export function decide({ rated, weights }: RatedCandidates): Decision {
  const [best, ...others] = rated.filter(({ violations }) => violations.length === 0)
  const undecided = {
    verdict: 'insufficient_evidence',
    chosen: undefined,
    confidence: 'low',
  } as const
  const hasWeights = weights.cost + weights.quality + weights.latency > 0
  if (best === undefined || !hasWeights)
    return { ...undecided, neededSamples: null, comparisons: [], open: [], p: 1 }
  const comparisons = others.map((other) => compareCandidates(best, other, weights))
  const p = correctedP(comparisons)
  const alpha = significance / comparisons.length
  const open = p <= significance ? [] : comparisons.filter((one) => one.p > alpha)
  const found = { neededSamples: null, comparisons, open, p }
  const isExact = weights.quality === 0 || [best, ...others].some(isTakenAsExact)
  // The only one that meets the constraints, which compare means, however few samples they have.
  const isAlone = comparisons.length === 0
  if (open.length === 0) {
    const confidence = isExact || isAlone ? 'low' : p <= highConfidence ? 'high' : 'medium'
    return { ...found, verdict: 'recommended', chosen: best, confidence }
  }
  if (open.every(({ isEqual }) => isEqual)) {
    const [chosen] = [best, ...open.map(({ other }) => other)].toSorted(byCost)
    return { ...found, verdict: 'tie', chosen, confidence: isExact ? 'low' : 'medium' }
  }
  const needed = open.flatMap((one) => one.neededSamples(alpha) ?? [])
  const neededSamples = needed.length === 0 ? null : Math.max(...needed)
  return { ...found, ...undecided, neededSamples }
}
