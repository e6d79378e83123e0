import { call } from '@assay/contract/client.ts'
import {
  createOrganization,
  removeProject,
  updateOrganization,
  updateProject,
} from '@assay/contract/organizations.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'
import { directoryQuery } from './projects.ts'
import { storageQuery } from './storage.ts'

export function useCreateOrganization(onCreated: (orgId: string) => Promise<void>) {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (name: string) => call(base, createOrganization, { body: { name } }),
    onSuccess: async ({ id }) => {
      await invalidate()
      await onCreated(id)
    },
  })
}

export function useRenameOrganization(orgId: string) {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (name: string) =>
      call(base, updateOrganization, { params: { orgId }, body: { name } }),
    onSuccess: invalidate,
  })
}

export function useRenameProject() {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: ({ projectId, name }: { readonly projectId: string; readonly name: string }) =>
      call(base, updateProject, { params: { projectId }, body: { name } }),
    onSuccess: invalidate,
  })
}

/** How long the project keeps its telemetry, in days; null for as long as the service does. */
export function useSetRetention(projectId: string) {
  const queryClient = useQueryClient()
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (retention_days: number | null) =>
      call(base, updateProject, { params: { projectId }, body: { retention_days } }),
    onSuccess: async () => {
      await invalidate()
      await queryClient.invalidateQueries({ queryKey: storageQuery(projectId).queryKey })
    },
  })
}

export function useRemoveProject() {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: ({ projectId, slug }: { readonly projectId: string; readonly slug: string }) =>
      call(base, removeProject, { params: { projectId }, body: { confirm: slug } }),
    onSettled: invalidate,
  })
}

function useInvalidateDirectory(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
}
