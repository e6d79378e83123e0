import { estimateMean, type MeanEstimate } from '../mean-estimate.ts'
import { tailAbove, valueAtTail } from '../student-t.ts'
import { type Quality, type Rated, roundingError, type Weights } from './rate-candidates.ts'

/*
 * Whether the best candidate is better than another one, or equal to it, or whether the samples leave that open.
 */

export interface Comparison {
  readonly other: Rated
  /** Of the best one, in utility: 0 or more. */
  readonly advantage: number
  /** The probability of such an advantage, or a larger one, if there is none. */
  readonly p: number
  /** Whether the difference is less than what matters, with 95% confidence. */
  readonly isEqual: boolean
  /** How many samples would decide, at the significance `alpha`; null if more samples cannot. */
  neededSamples(alpha: number): number | null
}

export const significance = 0.05
/** What matters, in points of quality. */
const margin = 0.05
/** Fewer decide nothing: even five wins of five have a probability of 3% by chance. */
const leastSamples = 5
/** More are not requested from anybody. */
const mostSamples = 1_000_000
/** Up to here, the exact test is made too. */
const exactSamples = 12
/** Of the samples that are reported as needed: an advantage that is there is found with 80%. */
const normalAtPower = 0.8416
const manyDegrees = 1000

export function compareCandidates(best: Rated, other: Rated, weights: Weights): Comparison {
  const advantage = best.utility - other.utility
  const exact = {
    ...{ other, advantage, p: advantage > roundingError ? 0 : 1 },
    isEqual: advantage <= roundingError,
    neededSamples: () => null,
  }
  if (weights.quality === 0) return exact
  if (best.quality === undefined || other.quality === undefined) {
    // Its score may be any.
    return { ...exact, p: 1, isEqual: false, neededSamples: () => leastSamples }
  }
  const difference = differenceOf(best.quality, other.quality)
  if (difference === undefined) return exact
  const { samples } = difference
  const standardError = difference.standardError * weights.quality
  const smallest = margin * weights.quality
  const isEnough = samples >= leastSamples
  const reach = isEnough ? standardError * valueAtTail(significance, samples - 1) : 0
  return {
    ...{ other, advantage },
    p: isEnough ? probability(best, other, { advantage, standardError, samples, weights }) : 1,
    isEqual: isEnough && advantage + reach <= smallest,
    neededSamples(alpha) {
      const quantiles = valueAtTail(alpha, manyDegrees) + normalAtPower
      const perSample = standardError * Math.sqrt(samples)
      const needed = Math.ceil((quantiles * perSample) ** 2 / Math.max(advantage, smallest) ** 2)
      return Math.min(Math.max(needed, samples + 1, leastSamples), mostSamples)
    },
  }
}

/** Of the scores; undefined if both are taken as exact. */
function differenceOf(a: Quality, b: Quality): MeanEstimate | undefined {
  const pairs = toPairs(a, b)
  if (pairs !== undefined) return estimateMean(pairs)
  const known = [a.estimate, b.estimate].filter((one) => one !== undefined)
  if (known.length === 0) return undefined
  const errors = known.map(({ standardError }) => standardError)
  return {
    mean: a.mean - b.mean,
    standardError: Math.hypot(...errors),
    samples: Math.min(...known.map(({ samples }) => samples)),
  }
}

function toPairs({ scores: a }: Quality, { scores: b }: Quality): number[] | undefined {
  if (a === undefined || a.length !== b?.length) return undefined
  return a.map((score, at) => score - (b[at] ?? score))
}

interface Measured {
  readonly advantage: number
  readonly standardError: number
  readonly samples: number
  readonly weights: Weights
}

function probability(
  best: Rated,
  other: Rated,
  { advantage, standardError, samples, weights }: Measured,
): number {
  const byT = tailAbove(advantage / standardError, samples - 1)
  const pairs = best.quality && other.quality && toPairs(best.quality, other.quality)
  if (pairs === undefined || samples > exactSamples) return byT
  const certain = best.certainUtility - other.certainUtility
  return Math.max(byT, signFlipTail(pairs.map((pair) => pair * weights.quality + certain)))
}

/** The share of all combinations of signs with at least this sum. Each combination differs from the last in one sign. */
function signFlipTail(values: readonly number[]): number {
  const observed = values.reduce((sum, value) => sum + value, 0)
  const combinations = 2 ** values.length
  const signed = [...values]
  let sum = observed
  let count = 1
  for (let step = 1; step < combinations; step += 1) {
    const lowestBit = 31 - Math.clz32(step & -step)
    const flipped = signed[lowestBit] ?? 0
    sum -= 2 * flipped
    signed[lowestBit] = -flipped
    if (sum >= observed - roundingError) count += 1
  }
  return count / combinations
}

/**
 * The largest probability, corrected for the number of comparisons (Holm): that the best one is better than all others
 * is significant if this is.
 */
export function correctedP(comparisons: readonly Comparison[]): number {
  const ascending = comparisons.map(({ p }) => p).toSorted((a, b) => a - b)
  return Math.max(0, ...ascending.map((p, at) => Math.min(1, p * (ascending.length - at))))
}
