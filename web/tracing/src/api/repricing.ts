import { call } from '@assay/contract/client.ts'
import { cancelJob, listJobs, type RepricingJob } from '@assay/contract/jobs.ts'
import { previewRepricing, reprice } from '@assay/contract/repricing.ts'
import { queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

const progressMs = 1000
const listedMax = 20

/**
 * The latest recalculations of a project, newest first; polled while one is running and the tab is visible. When one
 * has finished, everything that shows costs is refetched.
 */
export function repricingsQuery(projectId: string) {
  const queryKey = ['repricings', projectId] as const
  const args = { params: { projectId }, query: { kind: 'repricing', limit: listedMax } } as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<RepricingJob[]>(queryKey)
      const listed = await call(base, listJobs, args, { signal })
      const jobs = listed.filter((job) => job.kind === 'repricing')
      if (before !== undefined && hasFinished(before, jobs)) {
        void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
      }
      return jobs
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) === true ? progressMs : false),
  })
}

export function isRunning({ state }: RepricingJob): boolean {
  return state === 'queued' || state === 'running'
}

/** Also true for a job that started and finished between both lists. */
function hasFinished(before: readonly RepricingJob[], jobs: readonly RepricingJob[]): boolean {
  const finished = new Set(before.filter((job) => !isRunning(job)).map(({ id }) => id))
  return jobs.some((job) => !isRunning(job) && !finished.has(job.id))
}

interface TimeSpan {
  readonly from: string
  readonly to: string
}

export interface PreviewRequest extends TimeSpan {
  readonly requestedAtMs: number
}

/** Reports what a recalculation would change; nothing is saved. */
export function previewQuery(projectId: string, request: PreviewRequest | undefined) {
  return queryOptions({
    queryKey: ['repricing-preview', projectId, request] as const,
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) => {
            const { from, to } = request
            const args = { params: { projectId }, body: { from, to } }
            return call(base, previewRepricing, args, { signal })
          },
    // Examines many spans, so it is only repeated after a recalculation.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
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
