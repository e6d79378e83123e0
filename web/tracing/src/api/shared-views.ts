import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import {
  createSharedView,
  listSharedViews,
  removeSharedView,
  replaceSharedView,
  type SharedView,
} from '@assay/contract/shared-views.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The views and charts that everyone in the project sees, by name. */
export function sharedViewsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['shared-views', projectId],
    queryFn: ({ signal }) => call(base, listSharedViews, { params: { projectId } }, { signal }),
    staleTime: 60_000,
  })
}

/** Shares a view or a chart, replacing one with the same name. */
export function useShareView(projectId: string, views: readonly SharedView[]) {
  return useSharing(projectId, (shared: Pick<SharedView, 'page' | 'name' | 'query'>) => {
    const { page, name, query } = shared
    const existing = views.find((view) => view.page === page && view.name === name)
    if (existing === undefined) {
      return call(base, createSharedView, { params: { projectId }, body: shared })
    }
    const params = { projectId, viewId: existing.id }
    return call(base, replaceSharedView, { params, body: { name, query } })
  })
}

export function useRemoveSharedView(projectId: string) {
  return useSharing(projectId, (viewId: string) =>
    call(base, removeSharedView, { params: { projectId, viewId } }),
  )
}

function useSharing<Input, Output>(
  projectId: string,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const queryClient = useQueryClient()
  const { queryKey } = sharedViewsQuery(projectId)
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}
