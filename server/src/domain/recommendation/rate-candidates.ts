import { type Candidate, defaultWeights } from '@assay/contract/recommendations.ts'
import { estimateFromMean, estimateMean, type MeanEstimate } from '../mean-estimate.ts'
import { formatMs, formatScore, formatUsd } from './format-amounts.ts'

/*
 * Candidates with their utility, and which of them are dominated by others.
 */

export interface RecommendationRequest {
  readonly candidates: readonly Candidate[]
  readonly weights?: Weights | undefined
  readonly constraints?: Constraints | undefined
}

export interface Weights {
  readonly cost: number
  readonly quality: number
  readonly latency: number
}

interface Constraints {
  readonly max_cost_usd?: number | undefined
  readonly min_score?: number | undefined
  readonly max_latency_ms?: number | undefined
}

export interface Rated {
  readonly label: string
  readonly costUsd: number
  readonly latencyMs: number | undefined
  readonly quality: Quality | undefined
  /** Why it does not meet the constraints; empty if it does. */
  readonly violations: readonly string[]
  /** The part of its utility that is not quality, which samples do not change. */
  readonly certainUtility: number
  readonly utility: number
}

export interface Quality {
  readonly mean: number
  /** Undefined: taken as exact. */
  readonly estimate: MeanEstimate | undefined
  readonly scores: readonly number[] | undefined
}

export interface RatedCandidates {
  /** Those that meet the constraints first, then by utility. */
  readonly rated: readonly Rated[]
  /** They add up to 1; 0 for what no candidate has. */
  readonly weights: Weights
  readonly leastCostUsd: number
}

type Priced = Omit<Rated, 'certainUtility' | 'utility'>

export function rateCandidates({
  candidates,
  weights = defaultWeights,
  constraints = {},
}: RecommendationRequest): RatedCandidates {
  const priced = candidates.flatMap((one): Priced[] => {
    if (one.cost_usd === null) return []
    const { label, cost_usd: costUsd, latency_ms: latencyMs } = one
    const known = { label, costUsd, latencyMs, quality: toQuality(one) }
    return [{ ...known, violations: listViolations(known, constraints) }]
  })
  const meeting = priced.filter(({ violations }) => violations.length === 0)
  const compared = meeting.length > 0 ? meeting : priced
  const leastCostUsd = Math.min(...compared.map(({ costUsd }) => costUsd))
  const latencies = compared.flatMap(({ latencyMs }) => latencyMs ?? [])
  const leastLatencyMs = Math.min(...latencies)
  const used = usedWeights(weights, {
    quality: compared.some(({ quality }) => quality !== undefined),
    latency: latencies.length > 0,
  })
  const rated = priced.map((one): Rated => {
    const latency = one.latencyMs === undefined ? 0 : ratio(leastLatencyMs, one.latencyMs)
    const cost = ratio(leastCostUsd, one.costUsd)
    const certainUtility = used.cost * cost + used.latency * latency
    const utility = certainUtility + used.quality * (one.quality?.mean ?? 0)
    return { ...one, certainUtility, utility }
  })
  return { rated: rated.toSorted(byRank), weights: used, leastCostUsd }
}

/** 1 for the least; it may be 0. */
function ratio(least: number, value: number): number {
  return value <= least ? 1 : least / value
}

function toQuality({ scores, score, pass_rate, samples }: Candidate): Quality | undefined {
  if (scores !== undefined) {
    const estimate = estimateMean(scores)
    return { mean: estimate.mean, estimate, scores }
  }
  const mean = score ?? pass_rate
  if (mean === undefined) return undefined
  const estimate = samples === undefined ? undefined : estimateFromMean(mean, samples)
  return { mean, estimate, scores: undefined }
}

function listViolations(
  { costUsd, latencyMs, quality }: Omit<Priced, 'violations'>,
  { max_cost_usd: mostUsd, min_score: least, max_latency_ms: mostMs }: Constraints,
): string[] {
  const found: string[] = []
  if (mostUsd !== undefined && costUsd > mostUsd)
    found.push(`It costs more than ${formatUsd(mostUsd)}.`)
  if (least !== undefined && quality === undefined)
    found.push(`It has no score; at least ${formatScore(least)} is required.`)
  if (least !== undefined && quality !== undefined && quality.mean < least)
    found.push(`Its score is below ${formatScore(least)}.`)
  if (mostMs !== undefined && latencyMs === undefined)
    found.push(`It has no latency; at most ${formatMs(mostMs)} is allowed.`)
  if (mostMs !== undefined && latencyMs !== undefined && latencyMs > mostMs)
    found.push(`Its latency is above ${formatMs(mostMs)}.`)
  return found
}

function usedWeights(
  { cost, quality, latency }: Weights,
  has: { readonly quality: boolean; readonly latency: boolean },
): Weights {
  const used = { cost, quality: has.quality ? quality : 0, latency: has.latency ? latency : 0 }
  const sum = used.cost + used.quality + used.latency
  if (sum === 0) return used
  const part = (weight: number) => (weight / sum < roundingError ? 0 : weight / sum)
  return { cost: part(used.cost), quality: part(used.quality), latency: part(used.latency) }
}

/** Utilities that differ by rounding only are equal. */
export const roundingError = 1e-9

function byRank(a: Rated, b: Rated): number {
  const meets = Number(a.violations.length > 0) - Number(b.violations.length > 0)
  if (meets !== 0) return meets
  const [one, other] = [a, b].map(({ utility }) => Math.round(utility / roundingError))
  return one === other ? byCost(a, b) : other! - one!
}

/** How ties are broken. */
export function byCost(a: Rated, b: Rated): number {
  if (a.costUsd !== b.costUsd) return a.costUsd - b.costUsd
  const [one, other] = [a.latencyMs ?? Number.MAX_VALUE, b.latencyMs ?? Number.MAX_VALUE]
  if (one !== other) return one - other
  return a.label < b.label ? -1 : 1
}

/** Values that one of the two lacks are not compared, so then neither dominates. */
export function dominates(a: Rated, b: Rated): boolean {
  const pairs = [
    [a.costUsd, b.costUsd],
    [b.quality?.mean, a.quality?.mean],
    [a.latencyMs, b.latencyMs],
  ] as const
  let isBetter = false
  for (const [one, other] of pairs) {
    if (one === undefined && other === undefined) continue
    if (one === undefined || other === undefined || one > other) return false
    isBetter ||= one < other
  }
  return isBetter
}

/** Whether its score is taken as exact, because the number of its samples is unknown. */
export function isTakenAsExact({ quality }: Rated): boolean {
  return quality !== undefined && quality.estimate === undefined
}
