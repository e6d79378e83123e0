import type { Decision, Scoring } from './judge.ts'

/** Of the criteria that apply; undefined if none does. */
export function scoreOf(
  decisions: readonly Decision[],
  scoring: Scoring = 'mean',
): number | undefined {
  const applicable = decisions.filter(({ value }) => value !== null)
  if (applicable.length === 0) return undefined
  if (scoring === 'mean') return weightedMean(applicable)
  const parts = [...Map.groupBy(applicable, ({ criterion }) => criterion.part ?? criterion.id)]
  if (scoring === 'lowest_part') return Math.min(...parts.map(([, part]) => weightedMean(part)))
  const precisions = parts.map(([, part]) => averagePrecision(part))
  return precisions.reduce((sum, one) => sum + one, 0) / precisions.length
}

function weightedMean(decisions: readonly Decision[]): number {
  let sum = 0
  let weights = 0
  for (const { criterion, value } of decisions) {
    const { weight = 1 } = criterion
    sum += weight * (value ?? 0)
    weights += weight
  }
  return sum / weights
}

/** The mean of the precision at the rank of each good item; 0 without any. */
function averagePrecision(ranked: readonly Decision[]): number {
  let good = 0
  let sum = 0
  for (const [index, { value }] of ranked.entries()) {
    if (value === null || value < 0.5) continue
    good += 1
    sum += good / (index + 1)
  }
  return good === 0 ? 0 : sum / good
}
