import { base } from '@assay/account/api/base.ts'
import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { evaluateTrace, listEvaluationRuns, tryEvaluator } from '@assay/contract/evaluations.ts'
import { listEvaluatorCollections } from '@assay/contract/evaluators.ts'
import {
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useInvalidateJobs } from './jobs.ts'

export function collectionsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['evaluator-collections', orgId],
    queryFn: ({ signal }) =>
      call(base, listEvaluatorCollections, { params: { orgId } }, { signal }),
  })
}

/** The name of a collection by its id; empty until the collections are loaded. */
export function useCollectionName(orgId: string): (id: string) => string {
  const { data } = useQuery(collectionsQuery(orgId))
  return (id) => {
    if (data === undefined) return ''
    return data.find((one) => one.id === id)?.name ?? 'Deleted collection'
  }
}

/** The most recent evaluation runs of a trace, newest first. */
export function evaluationRunsQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['evaluation-runs', projectId, traceId],
    queryFn: ({ signal }) =>
      call(base, listEvaluationRuns, { params: { projectId, traceId } }, { signal }),
  })
}

export function useEvaluate(projectId: string, traceId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Args<typeof evaluateTrace>['body']) =>
      call(base, evaluateTrace, { params: { projectId, traceId }, body }),
    // Also after an error: the run may be stored although its response was lost.
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: evaluationRunsQuery(projectId, traceId).queryKey }),
  })
}

export type BulkEvaluationBody = Args<typeof evaluateTraces>['body']

/** Starts an evaluation of many traces. */
export function useEvaluateTraces(projectId: string) {
  const onSettled = useInvalidateJobs(projectId, 'evaluation')
  return useMutation({
    mutationFn: (body: BulkEvaluationBody) =>
      call(base, evaluateTraces, { params: { projectId }, body }),
    onSettled,
  })
}

export type TrialBody = Args<typeof tryEvaluator>['body']

export interface Trial {
  readonly traceId: string
  readonly body: TrialBody
  /** A new one for each trial, because the same judge can decide otherwise. */
  readonly number: number
}

/** One trial of an evaluator, or none. It ends when nobody waits for it any more, and is never repeated by itself. */
export function trialQuery(projectId: string, trial: Trial | undefined) {
  return queryOptions({
    queryKey: ['evaluator-trial', projectId, trial],
    queryFn:
      trial === undefined
        ? skipToken
        : ({ signal }) => {
            const params = { projectId, traceId: trial.traceId }
            return call(base, tryEvaluator, { params, body: trial.body }, { signal })
          },
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  })
}
