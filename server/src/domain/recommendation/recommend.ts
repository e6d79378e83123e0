import type { Recommendation } from '@assay/contract/recommendations.ts'
import { decide } from './decide.ts'
import { explainVerdict, listReasons } from './explain-recommendation.ts'
import { dominates, type RecommendationRequest, rateCandidates } from './rate-candidates.ts'

/** Pure, and independent of the order of the candidates. */
export function recommendCandidate(request: RecommendationRequest): Recommendation {
  const ranking = rateCandidates(request)
  const { rated } = ranking
  const decision = decide(ranking)
  const unpriced = request.candidates.filter(({ cost_usd: costUsd }) => costUsd === null)
  return {
    verdict: decision.verdict,
    neededSamples: decision.neededSamples,
    recommended: decision.chosen?.label ?? null,
    ranking: rated.map((one) => {
      const dominating = rated.filter((other) => dominates(other, one))
      return {
        ...{ label: one.label, utility: one.utility },
        on_pareto_front: dominating.length === 0,
        dominated_by: dominating.map(({ label }) => label),
        meets_constraints: one.violations.length === 0,
        reasons: listReasons(one, dominating, ranking, decision),
      }
    }),
    unpriced: unpriced.map(({ label }) => label).toSorted((a, b) => (a < b ? -1 : 1)),
    confidence: decision.confidence,
    explanation: explainVerdict(ranking, decision, unpriced.length),
  }
}
