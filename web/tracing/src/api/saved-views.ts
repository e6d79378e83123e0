import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import {
  createSavedView,
  listSavedViews,
  removeSavedView,
  replaceSavedView,
  type SavedView,
} from '@assay/contract/saved-views.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The user's saved views of the project, by name. */
export function savedViewsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['views', projectId],
    queryFn: ({ signal }) => call(base, listSavedViews, { params: { projectId } }, { signal }),
    staleTime: 60_000,
  })
}

/** Saves a view, replacing one with the same name. */
export function useSaveView(projectId: string, views: readonly SavedView[]) {
  const queryClient = useQueryClient()
  const { queryKey } = savedViewsQuery(projectId)
  return useMutation({
    mutationFn: (body: Pick<SavedView, 'name' | 'query'>) => {
      const existing = views.find(({ name }) => name === body.name)
      return existing === undefined
        ? call(base, createSavedView, { params: { projectId }, body })
        : call(base, replaceSavedView, { params: { projectId, viewId: existing.id }, body })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}

export function useRemoveView(projectId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = savedViewsQuery(projectId)
  return useMutation({
    mutationFn: (viewId: string) => call(base, removeSavedView, { params: { projectId, viewId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}
