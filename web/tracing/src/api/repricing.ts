import { call } from '@assay/contract/client.ts'
import { cancelJob, type Job, listJobs } from '@assay/contract/jobs.ts'
import { previewRepricing, reprice } from '@assay/contract/repricing.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

const progressMs = 1000
const listed = 20

/**
 * The latest recalculations of a project, newest first; polled while one is running and the tab is visible. When it
 * has finished, everything that shows costs is refetched.
 */
export function repricingsQuery(projectId: string) {
  const queryKey = ['repricings', projectId] as const
  const args = { params: { projectId }, query: { kind: 'repricing', limit: listed } } as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const wasRunning = client.getQueryData<Job[]>(queryKey)?.some(isRunning) === true
      const jobs = await call(base, listJobs, args, { signal })
      if (wasRunning && !jobs.some(isRunning)) {
        void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
      }
      return jobs
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) === true ? progressMs : false),
  })
}

export function isRunning({ state }: Job): boolean {
  return state === 'queued' || state === 'running'
}

export interface TimeSpan {
  readonly from: string
  readonly to: string
}

/** Reports what a recalculation would change; nothing is saved. */
export function usePreview(projectId: string) {
  return useMutation({
    mutationFn: ({ from, to }: TimeSpan) =>
      call(base, previewRepricing, { params: { projectId }, body: { from, to } }),
  })
}

export function useReprice(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ from, to }: TimeSpan) =>
      call(base, reprice, { params: { projectId }, body: { from, to } }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: repricingsQuery(projectId).queryKey }),
  })
}

export function useCancelRepricing(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (jobId: string) => call(base, cancelJob, { params: { projectId, jobId } }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: repricingsQuery(projectId).queryKey }),
  })
}
