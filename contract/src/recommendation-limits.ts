/*
 * The limits of recommendations. Part of `limits`.
 */

export const recommendationLimits = {
  candidates: {
    value: 50,
    unit: 'candidates',
    of: 'candidates of POST …/cost-calculator/recommend (at least 2)',
  },
  candidateScores: { value: 1000, unit: 'scores', of: 'scores of a candidate (at least 1)' },
  candidateSamples: {
    value: 1_000_000,
    unit: 'samples',
    of: 'samples of a candidate (at least 1)',
  },
  candidateAmount: {
    value: 1_000_000_000,
    unit: 'dollars or milliseconds',
    of: 'cost_usd, latency_ms, max_cost_usd and max_latency_ms of POST …/cost-calculator/recommend',
  },
  candidateWeight: {
    value: 1000,
    unit: 'points',
    of: 'each of weights of POST …/cost-calculator/recommend',
  },
  candidateReasons: { value: 10, unit: 'reasons', of: 'reasons of a ranked candidate' },
} as const
