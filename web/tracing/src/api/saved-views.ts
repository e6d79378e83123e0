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

/** Saves a view, replacing one of the page with the same name. */
export function useSaveView(projectId: string) {
  const queryClient = useQueryClient()
  const query = savedViewsQuery(projectId)
  return useMutation({
    // One after another, each on what the others have stored, also in other tabs.
    scope: { id: `views ${projectId}` },
    mutationFn: async (body: Pick<SavedView, 'page' | 'name' | 'query'>) => {
      const views = await queryClient.query({ ...query, staleTime: 0 })
      const { page, ...view } = body
      const existing = views.find((one) => one.page === page && one.name === view.name)
      return existing === undefined
        ? await call(base, createSavedView, { params: { projectId }, body })
        : await call(base, replaceSavedView, {
            params: { projectId, viewId: existing.id },
            body: view,
          })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
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
