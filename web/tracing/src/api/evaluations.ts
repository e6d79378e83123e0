import { call } from '@assay/contract/client.ts'
import { evaluateTrace, listEvaluationRuns } from '@assay/contract/evaluations.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

export function collectionsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['evaluator-collections', orgId],
    queryFn: ({ signal }) =>
      call(base, listEvaluatorCollections, { params: { orgId } }, { signal }),
  })
}

/** The most recent evaluation runs of a trace, newest first. */
export function evaluationRunsQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['evaluation-runs', projectId, traceId],
    queryFn: ({ signal }) =>
      call(base, listEvaluationRuns, { params: { projectId, traceId } }, { signal }),
  })
}

export interface EvaluationChoice {
  readonly collectionId: string
  /** Null if the collection has no judge. */
  readonly modelConfigId: string | null
}

export function useEvaluate(projectId: string, traceId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ collectionId, modelConfigId }: EvaluationChoice) =>
      call(base, evaluateTrace, {
        params: { projectId, traceId },
        body: { collection_id: collectionId, model_config_id: modelConfigId },
      }),
    // Also after an error: the run may be stored although its response was lost.
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: evaluationRunsQuery(projectId, traceId).queryKey }),
  })
}
