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
  const renew = useRenewDirectory()
  return useMutation({
    mutationFn: (name: string) => call(base, createOrganization, { body: { name } }),
    onSuccess: async ({ id }) => {
      await renew()
      await onCreated(id)
    },
  })
}

export function useRenameOrganization(orgId: string) {
  const renew = useRenewDirectory()
  return useMutation({
    mutationFn: (name: string) =>
      call(base, updateOrganization, { params: { orgId }, body: { name } }),
    onSuccess: renew,
  })
}

export function useRenameProject() {
  const renew = useRenewDirectory()
  return useMutation({
    mutationFn: ({ projectId, name }: { readonly projectId: string; readonly name: string }) =>
      call(base, updateProject, { params: { projectId }, body: { name } }),
    onSuccess: renew,
  })
}

/** How long the project keeps its telemetry, in days; null for as long as the service does. */
export function useSetRetention(projectId: string) {
  const queryClient = useQueryClient()
  const renew = useRenewDirectory()
  return useMutation({
    mutationFn: (retention_days: number | null) =>
      call(base, updateProject, { params: { projectId }, body: { retention_days } }),
    onSuccess: async () => {
      await renew()
      await queryClient.invalidateQueries({ queryKey: storageQuery(projectId).queryKey })
    },
  })
}

export function useRemoveProject() {
  const renew = useRenewDirectory()
  return useMutation({
    mutationFn: ({ projectId, slug }: { readonly projectId: string; readonly slug: string }) =>
      call(base, removeProject, { params: { projectId }, body: { confirm: slug } }),
    onSettled: renew,
  })
}

function useRenewDirectory(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
}
