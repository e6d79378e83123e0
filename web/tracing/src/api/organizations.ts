import { base } from '@assay/account/api/base.ts'
import { directoryQuery } from '@assay/account/api/projects.ts'
import { call } from '@assay/contract/client.ts'
import {
  createOrganization,
  createProject,
  type Project,
  removeProject,
  updateOrganization,
  updateProject,
} from '@assay/contract/organizations.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rememberKey } from './revealed-keys.ts'
import { storageQuery } from './storage.ts'

export function useCreateOrganization() {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (body: { readonly name: string }) => call(base, createOrganization, { body }),
    onSuccess: invalidate,
  })
}

export function useRenameOrganization(orgId: string) {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (body: { readonly name: string }) =>
      call(base, updateOrganization, { params: { orgId }, body }),
    onSuccess: invalidate,
  })
}

/**
 * Creates a project with a tracing key, which is remembered for the snippets. The legacy key is not used: no
 * list has it, so it cannot be revoked.
 */
export function useCreateProject() {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: async ({ orgId, name }: { readonly orgId: string; readonly name: string }) => {
      const project = await call(base, createProject, { params: { orgId }, body: { name } })
      await rememberNewKey(project.id)
      return project
    },
    onSuccess: invalidate,
  })
}

/** Without a key, the project is complete all the same: *Send traces* creates one on request. */
async function rememberNewKey(projectId: string): Promise<void> {
  try {
    const body = { name: 'First key' }
    const { key } = await call(base, createTracingKey, { params: { projectId }, body })
    rememberKey(projectId, key)
  } catch {}
}

export function useRenameProject(projectId: string) {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (body: { readonly name: string }) =>
      call(base, updateProject, { params: { projectId }, body }),
    onSuccess: invalidate,
  })
}

/** The retention of the project in days; null for the default of the service. */
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

/** Whether chat conversations of the project are stored encrypted. */
export function useSetEncryptedHistory(projectId: string) {
  const invalidate = useInvalidateDirectory()
  return useMutation({
    mutationFn: (encrypted_history: Project['encrypted_history']) =>
      call(base, updateProject, { params: { projectId }, body: { encrypted_history } }),
    onSuccess: invalidate,
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
