import { call } from '@assay/contract/client.ts'
import {
  createSavedView,
  listSavedViews,
  removeSavedView,
  type SavedView,
} from '@assay/contract/saved-views.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

/** The person's saved views of the project, by name. */
export function savedViewsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['views', projectId],
    queryFn: ({ signal }) => call(base, listSavedViews, { params: { projectId } }, { signal }),
    staleTime: 60_000,
  })
}

interface NewView extends Pick<SavedView, 'name' | 'query'> {
  /** The view whose place it takes. */
  readonly replaces: SavedView | undefined
}

/** Saves a view. One that it takes the place of is put back where the new one cannot be saved. */
export function useSaveView(projectId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = savedViewsQuery(projectId)
  const params = { projectId }
  return useMutation({
    async mutationFn({ replaces, ...view }: NewView) {
      if (replaces === undefined) return call(base, createSavedView, { params, body: view })
      await call(base, removeSavedView, { params: { projectId, viewId: replaces.id } })
      try {
        return await call(base, createSavedView, { params, body: view })
      } catch (error) {
        const { name, query } = replaces
        await call(base, createSavedView, { params, body: { name, query } })
        throw error
      }
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
