import { interval95 } from '../mean-estimate.ts'
import type { Decision } from './decide.ts'
import { formatMs, formatScore, formatUsd } from './format-amounts.ts'
import { isTakenAsExact, type Rated, type RatedCandidates } from './rate-candidates.ts'

/*
 * The reasons of a recommendation in sentences, from its numbers.
 */

/** At most eight. */
export function listReasons(
  one: Rated,
  dominating: readonly Rated[],
  { leastCostUsd, weights }: RatedCandidates,
  decision: Decision,
): string[] {
  const reasons = [...one.violations, describeCost(one, leastCostUsd)]
  if (weights.quality > 0 || one.quality !== undefined) reasons.push(describeQuality(one))
  if (one.latencyMs !== undefined) reasons.push(`Its latency is ${formatMs(one.latencyMs)}.`)
  const [first] = dominating
  if (first !== undefined)
    reasons.push(`${quoted(first)} is no worse in cost, score and latency, and better in one.`)
  const comparison = decision.comparisons.find(({ other }) => other === one)
  if (comparison === undefined) return reasons
  const { advantage, p, isEqual } = comparison
  if (!decision.open.includes(comparison)) {
    reasons.push(`Its utility is lower than the highest by ${format(advantage)}${describeP(p)}.`)
  } else if (isEqual) {
    reasons.push('It is equal to the one with the highest utility within five points of quality.')
  } else {
    reasons.push('The samples do not separate it from the one with the highest utility.')
  }
  return reasons
}

function describeCost({ costUsd, violations }: Rated, leastCostUsd: number): string {
  const cost = `It costs ${formatUsd(costUsd)}`
  if (violations.length > 0) return `${cost}.`
  if (costUsd <= leastCostUsd) return `${cost}, the least.`
  const factor = costUsd / leastCostUsd
  return factor < 1000 ? `${cost}, ${format(factor)} times the least.` : `${cost}.`
}

function describeQuality({ quality }: Rated): string {
  if (quality === undefined) return 'It has no score.'
  const { mean, estimate } = quality
  if (estimate === undefined)
    return `Its score is ${formatScore(mean)}, of an unknown number of samples.`
  const [low, high] = interval95(estimate)
  return `Its score is ${formatScore(mean)} over ${count(estimate.samples, 'sample')} (95% interval ${formatScore(low)} to ${formatScore(high)}).`
}

export function explainVerdict(
  { rated, weights }: RatedCandidates,
  { verdict, chosen, neededSamples, comparisons, p }: Decision,
  unpricedCount: number,
): string {
  const apart =
    unpricedCount === 0
      ? ''
      : ` ${count(unpricedCount, 'candidate')} without a cost ${unpricedCount === 1 ? 'is' : 'are'} not ranked.`
  return `${explain()}${apart}`

  function explain(): string {
    if (rated.length === 0) return 'No candidate has a cost.'
    const meeting = rated.filter(({ violations }) => violations.length === 0)
    const [best] = meeting
    if (best === undefined) return 'No candidate meets the constraints.'
    if (weights.cost + weights.quality + weights.latency === 0)
      return 'No candidate has a value for what the weights count.'
    if (verdict === 'recommended' && chosen !== undefined) {
      if (comparisons.length === 0)
        return `${quoted(chosen)} is the only candidate with a cost that meets the constraints.`
      const by = weights.quality === 0 ? ', by cost and latency alone' : describeP(p)
      return `${quoted(chosen)} has a higher utility than ${others(comparisons.length)}${by}.${caveat(meeting)}`
    }
    if (verdict === 'tie' && chosen !== undefined) {
      return `${quoted(chosen)} costs least of those that are equal within five points of quality.`
    }
    const needed =
      neededSamples === null
        ? ''
        : ` About ${neededSamples.toLocaleString('en-US')} samples of each candidate would.`
    return `${quoted(best)} has the highest utility, but the samples do not decide whether it is the best.${needed}`
  }
}

function caveat(meeting: readonly Rated[]): string {
  return meeting.some(isTakenAsExact)
    ? ' Scores without a number of samples are taken as exact.'
    : ''
}

function describeP(p: number): string {
  if (p === 0) return ''
  return p < 0.001 ? ' (p < 0.001)' : ` (p = ${format(p)})`
}

function others(number: number): string {
  if (number === 1) return 'the other candidate'
  return number === 2 ? 'both other candidates' : `all ${number} other candidates`
}

const whole = new Intl.NumberFormat('en-US')

function count(number: number, unit: string): string {
  return `${whole.format(number)} ${unit}${number === 1 ? '' : 's'}`
}

const quoted = ({ label }: Rated) => `"${label}"`

const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

function format(value: number): string {
  if (value > 0 && value < 1e-6) return value.toExponential(1)
  return significant.format(value)
}
