import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  createEvaluationRule,
  listEvaluationRules,
  removeEvaluationRule,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useShowChanged } from './show-changed.ts'

/** The counts of rules change as traces arrive. */
const refetchMs = 5000

/** Oldest first. */
export function evaluationRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['evaluation-rules', projectId],
    queryFn: ({ signal }) => call(base, listEvaluationRules, { params: { projectId } }, { signal }),
    refetchInterval: refetchMs,
  })
}

export type EvaluationRuleBody = Args<typeof createEvaluationRule>['body']
type Change = Args<typeof updateEvaluationRule>['body']

/** Creates a rule, or changes the one with the id. */
export function useSaveEvaluationRule(projectId: string, ruleId: string | undefined) {
  const onSuccess = useInvalidate(projectId)
  return useMutation({
    mutationFn: (body: EvaluationRuleBody) =>
      ruleId === undefined
        ? call(base, createEvaluationRule, { params: { projectId }, body })
        : call(base, updateEvaluationRule, { params: { projectId, ruleId }, body }),
    onSuccess,
  })
}

export function useChangeEvaluationRule(projectId: string) {
  const onSettled = useInvalidate(projectId)
  const onSuccess = useShowChanged(evaluationRulesQuery(projectId).queryKey)
  return useMutation({
    mutationFn: ({ ruleId, body }: { readonly ruleId: string; readonly body: Change }) =>
      call(base, updateEvaluationRule, { params: { projectId, ruleId }, body }),
    onSuccess,
    onSettled,
  })
}

export function useRemoveEvaluationRule(projectId: string) {
  const onSettled = useInvalidate(projectId)
  return useMutation({
    mutationFn: (ruleId: string) =>
      call(base, removeEvaluationRule, { params: { projectId, ruleId } }),
    onSettled,
  })
}

function useInvalidate(projectId: string): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = evaluationRulesQuery(projectId)
  return () => queryClient.invalidateQueries({ queryKey })
}
