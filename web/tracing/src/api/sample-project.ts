import { call } from '@assay/contract/client.ts'
import { createSampleProject, type Project } from '@assay/contract/organizations.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'
import { directoryQuery } from './projects.ts'

/** Makes a project filled with sample data; `onLoaded` is called when it is there to be opened. */
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

/** Whether the project was made as one of sample data. Its slug stays when it is renamed. */
export function isSample({ slug }: Pick<Project, 'slug'>): boolean {
  return /^sample-data(?:-\d+)?$/.test(slug)
}
