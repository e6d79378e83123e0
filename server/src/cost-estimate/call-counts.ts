/*
 * How many model calls a run makes: log-normal, in whole calls, at least one.
 */

/** The probabilities that a run makes at least one call, two calls and so on. Their sum is the mean. */
export type CallShares = readonly number[]

export function callShares(mean: number, logSd: number): CallShares {
  if (mean <= 1) return [1]
  let shares = discretize(mean, logSd)
  // Rounding to whole calls moves the mean of short runs.
  let target = mean
  for (let step = 0; step < correctionMax; step += 1) {
    const missing = mean - sum(shares)
    if (Math.abs(missing) < tolerance * mean) break
    target = Math.max(target + missing, 0.01)
    shares = discretize(target, logSd)
  }
  return shares
}

const correctionMax = 20
const tolerance = 1e-3

/** The longest run that counts, and the smallest probability. */
const callsMax = 5000
const shareMin = 1e-5

function discretize(mean: number, logSd: number): number[] {
  const spread = Math.max(logSd, 0.01)
  const center = Math.log(mean) - spread ** 2 / 2
  const shares = [1]
  for (let calls = 2; calls <= callsMax; calls += 1) {
    const share = upperTail((Math.log(calls - 0.5) - center) / spread)
    if (share < shareMin) break
    shares.push(share)
  }
  return shares
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The probability that a standard normal variable exceeds `z`. Abramowitz and Stegun 7.1.26, error below 2e-7. */
function upperTail(z: number): number {
  if (z < 0) return 1 - upperTail(-z)
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2)
  const polynomial =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return 0.5 * polynomial * Math.exp(-(z ** 2) / 2)
}
