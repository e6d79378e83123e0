import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { cancelJob, type Job, listJobs, type ProjectJobKind } from '@assay/contract/jobs.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

const progressMs = 1000
/** As many as the service keeps of a kind. */
const listedMax = 50

export type JobOf<Kind extends ProjectJobKind> = Extract<Job, { kind: Kind }>

/**
 * The latest jobs of a kind, newest first; polled while one is active and the tab is visible. When one has finished,
 * everything that may show its changes is refetched.
 */
export function jobsQuery<Kind extends ProjectJobKind>(projectId: string, kind: Kind) {
  const queryKey = ['jobs', projectId, kind] as const
  const args = { params: { projectId }, query: { kind, limit: listedMax } } as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<readonly Job[]>(queryKey)
      const listed = await call(base, listJobs, args, { signal })
      const jobs = listed.filter((job): job is JobOf<Kind> => job.kind === kind)
      if (before !== undefined && hasFinished(before, jobs)) {
        void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
      }
      return jobs
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isActive) === true ? progressMs : false),
  })
}

export function isActive({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Also true for a job that started and finished between both lists. */
function hasFinished(before: readonly Job[], jobs: readonly Job[]): boolean {
  const finished = new Set(before.filter((job) => !isActive(job)).map(({ id }) => id))
  return jobs.some((job) => !isActive(job) && !finished.has(job.id))
}

export function useCancelJob(projectId: string, kind: ProjectJobKind) {
  const onSettled = useInvalidateJobs(projectId, kind)
  return useMutation({
    mutationFn: (jobId: string) => call(base, cancelJob, { params: { projectId, jobId } }),
    onSettled,
  })
}

/** For mutations that start or end a job. */
export function useInvalidateJobs(projectId: string, kind: ProjectJobKind): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: jobsQuery(projectId, kind).queryKey })
}
