import { base } from '@assay/account/api/base.ts'
import {
  type AlertRule,
  createAlertRule,
  listAlertEvents,
  listAlertRules,
  removeAlertRule,
  testAlertRule,
  updateAlertRule,
} from '@assay/contract/alerts.ts'
import { call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { sentOnRequest } from './sent-on-request.ts'
import { useShowChanged } from './show-changed.ts'

/** Rules are checked and messages are sent in the background: within a second at first. */
const refetchMs = (isPending: boolean | undefined) => (isPending === true ? 1000 : 5000)

/** Oldest first. */
export function alertRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['alert-rules', projectId],
    queryFn: ({ signal }) => call(base, listAlertRules, { params: { projectId } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      refetchMs(data?.some(({ state }) => state.status === 'pending')),
  })
}

/** The changes of the state of a rule, newest first. */
export function alertEventsQuery(projectId: string, ruleId: string) {
  return queryOptions({
    queryKey: ['alert-events', projectId, ruleId],
    queryFn: ({ signal }) =>
      call(base, listAlertEvents, { params: { projectId, ruleId } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      refetchMs(data?.[0]?.deliveries.some(({ attempts }) => attempts === 0)),
  })
}

/** Sends a test message each time it is fetched. */
export function alertTestQuery(projectId: string, ruleId: string) {
  return queryOptions({
    queryKey: ['alert-test', projectId, ruleId],
    queryFn: ({ signal }) =>
      call(base, testAlertRule, { params: { projectId, ruleId } }, { signal }),
    ...sentOnRequest,
  })
}

export type AlertRuleBody = Args<typeof createAlertRule>['body']
type Change = Args<typeof updateAlertRule>['body']

/** Creates a rule, or changes the one with the id. */
export function useSaveAlertRule(projectId: string, ruleId: string | undefined) {
  const onSuccess = useInvalidate(projectId)
  return useMutation({
    mutationFn: (body: AlertRuleBody) =>
      ruleId === undefined
        ? call(base, createAlertRule, { params: { projectId }, body })
        : call(base, updateAlertRule, { params: { projectId, ruleId }, body }),
    onSuccess,
  })
}

export function useChangeAlertRule(projectId: string) {
  const onSettled = useInvalidate(projectId)
  const onSuccess = useShowChanged<AlertRule>(alertRulesQuery(projectId).queryKey)
  return useMutation({
    mutationFn: ({ ruleId, body }: { readonly ruleId: string; readonly body: Change }) =>
      call(base, updateAlertRule, { params: { projectId, ruleId }, body }),
    onSuccess,
    onSettled,
  })
}

export function useRemoveAlertRule(projectId: string) {
  const onSettled = useInvalidate(projectId)
  return useMutation({
    mutationFn: (ruleId: string) => call(base, removeAlertRule, { params: { projectId, ruleId } }),
    onSettled,
  })
}

function useInvalidate(projectId: string): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = alertRulesQuery(projectId)
  return () => queryClient.invalidateQueries({ queryKey })
}
