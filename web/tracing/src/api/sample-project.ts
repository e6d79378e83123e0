import { base } from '@assay/account/api/base.ts'
import { directoryQuery } from '@assay/account/api/projects.ts'
import { call } from '@assay/contract/client.ts'
import { createSampleProject, type Project } from '@assay/contract/organizations.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Creates a project with sample data; `onLoaded` is called when it can be opened. */
export function useLoadSample(orgId: string, onLoaded: (projectId: string) => Promise<void>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(base, createSampleProject, { params: { orgId } }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: directoryQuery.queryKey })
      await onLoaded(id)
    },
  })
}

/** Whether the project was created with sample data. Renaming does not change its slug. */
export function isSample({ slug }: Pick<Project, 'slug'>): boolean {
  return /^sample-data(?:-\d+)?$/.test(slug)
}
