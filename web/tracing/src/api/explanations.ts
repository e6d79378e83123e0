import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import type { EvaluationResult } from '@assay/contract/evaluations.ts'
import { explainScoreGap } from '@assay/contract/explanations.ts'
import { queryOptions } from '@tanstack/react-query'

export type Explanation = DataOf<typeof explainScoreGap>

/** Results of the same evaluator, each with the label of its model. */
export interface ScoreGap {
  readonly a: EvaluationResult
  readonly b: EvaluationResult
  readonly labels: readonly [a: string, b: string]
}

/** Fetched once: results never change, and each request may be a paid call of a model. */
export function explanationQuery(projectId: string, { a, b, labels }: ScoreGap) {
  return queryOptions({
    queryKey: ['explanation', projectId, a.id, b.id, ...labels],
    queryFn: ({ signal }) =>
      call(
        base,
        explainScoreGap,
        {
          params: { projectId },
          body: {
            evaluator_name: a.evaluator_name,
            model_a: toExplained(a, labels[0]),
            model_b: toExplained(b, labels[1]),
          },
        },
        { signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

function toExplained(result: EvaluationResult, label: string) {
  const { score, passed, reasoning, issues, evidence } = result
  // Their quotes are among the evidence of the result.
  const criteria = result.criteria.map(({ id, question, verdict }) => ({ id, question, verdict }))
  return { label, score, passed, reasoning, criteria, issues, evidence }
}
