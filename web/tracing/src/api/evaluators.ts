import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  createEvaluator,
  createEvaluatorCollection,
  deleteEvaluator,
  deleteEvaluatorCollection,
  listEvaluators,
  updateEvaluator,
  updateEvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { collectionsQuery } from './evaluations.ts'

/** The built-in evaluators, then those of the organization. */
export function evaluatorsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['evaluators', orgId],
    queryFn: ({ signal }) =>
      call(base, listEvaluators, { params: { orgId }, query: {} }, { signal }),
  })
}

export type EvaluatorBody = Args<typeof createEvaluator>['body']

/** Creates an evaluator, or changes the one with the id. */
export function useSaveEvaluator(orgId: string, evaluatorId: string | undefined) {
  const onSuccess = useInvalidate(orgId)
  return useMutation({
    mutationFn: (body: EvaluatorBody) =>
      evaluatorId === undefined
        ? call(base, createEvaluator, { params: { orgId }, body })
        : call(base, updateEvaluator, { params: { orgId, evaluatorId }, body }),
    onSuccess,
  })
}

export function useRemoveEvaluator(orgId: string) {
  const onSettled = useInvalidate(orgId)
  return useMutation({
    mutationFn: (evaluatorId: string) =>
      call(base, deleteEvaluator, { params: { orgId, evaluatorId } }),
    onSettled,
  })
}

export type CollectionBody = Args<typeof createEvaluatorCollection>['body']

/** Creates a collection, or changes the one with the id. */
export function useSaveCollection(orgId: string, collectionId: string | undefined) {
  const onSuccess = useInvalidate(orgId)
  return useMutation({
    mutationFn: (body: CollectionBody) =>
      collectionId === undefined
        ? call(base, createEvaluatorCollection, { params: { orgId }, body })
        : call(base, updateEvaluatorCollection, { params: { orgId, collectionId }, body }),
    onSuccess,
  })
}

export function useRemoveCollection(orgId: string) {
  const onSettled = useInvalidate(orgId)
  return useMutation({
    mutationFn: (collectionId: string) =>
      call(base, deleteEvaluatorCollection, { params: { orgId, collectionId } }),
    onSettled,
  })
}

/** Collections contain their evaluators, so both change together. */
function useInvalidate(orgId: string): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [evaluatorsQuery(orgId), collectionsQuery(orgId)].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}
