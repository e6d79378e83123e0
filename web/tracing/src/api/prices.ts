import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import {
  createOrganizationPrice,
  createProjectPrice,
  listObservedModels,
  listProjectPrices,
  type PriceRule,
  removeOrganizationPrice,
  removeProjectPrice,
  updateOrganizationPrice,
  updateProjectPrice,
} from '@assay/contract/prices.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The prices and aliases that apply to a project: its own, then its organization's. */
export function priceRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['prices', projectId, 'rules'],
    queryFn: ({ signal }) => call(base, listProjectPrices, { params: { projectId } }, { signal }),
  })
}

/** The models called within a duration before now, with their current prices. */
export function observedModelsQuery(projectId: string, range: string, durationMs: number) {
  return queryOptions({
    queryKey: ['prices', projectId, 'models', range],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - durationMs).toISOString()
      return callWithMeta(
        base,
        listObservedModels,
        { params: { projectId }, query: { from } },
        { signal },
      )
    },
  })
}

export type NewRule = Args<typeof createProjectPrice>['body']

interface SavedRule {
  /** Undefined for a new rule. */
  readonly id: string | undefined
  readonly scope: PriceRule['scope']
  readonly body: NewRule
}

/** Creates or edits a price or an alias of the project or its organization. */
export function useSaveRule(projectId: string, orgId: string) {
  const invalidate = useInvalidatePrices()
  return useMutation({
    mutationFn: ({ id: priceId, scope, body }: SavedRule) => {
      if (priceId === undefined) {
        return scope === 'project'
          ? call(base, createProjectPrice, { params: { projectId }, body })
          : call(base, createOrganizationPrice, { params: { orgId }, body })
      }
      const { kind: _, ...change } = body
      return scope === 'project'
        ? call(base, updateProjectPrice, { params: { projectId, priceId }, body: change })
        : call(base, updateOrganizationPrice, { params: { orgId, priceId }, body: change })
    },
    onSuccess: invalidate,
  })
}

export function useRemoveRule(projectId: string, orgId: string) {
  const invalidate = useInvalidatePrices()
  return useMutation({
    mutationFn: ({ id: priceId, scope }: PriceRule) =>
      scope === 'project'
        ? call(base, removeProjectPrice, { params: { projectId, priceId } })
        : call(base, removeOrganizationPrice, { params: { orgId, priceId } }),
    onSettled: invalidate,
  })
}

/** A price of an organization applies to all its projects, so the prices of all are invalidated. */
function useInvalidatePrices(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['prices'] })
}
