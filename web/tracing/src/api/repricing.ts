import { call } from '@assay/contract/client.ts'
import {
  cancelRepricing,
  listRepricings,
  type Repricing,
  reprice,
} from '@assay/contract/repricing.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

const progressMs = 1000

/** The recalculations of a project, newest first; polled while one is running. */
export function repricingsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['repricings', projectId],
    queryFn: ({ signal }) => call(base, listRepricings, { params: { projectId } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(isRunning) === true ? progressMs : false),
  })
}

export function isRunning({ state }: Repricing): boolean {
  return state === 'running'
}

export interface TimeSpan {
  readonly from: string
  readonly to: string
}

/** Reports what a recalculation would change; nothing is saved. */
export function usePreview(projectId: string) {
  return useMutation({
    mutationFn: ({ from, to }: TimeSpan) =>
      call(base, reprice, { params: { projectId }, body: { from, to, preview: true } }),
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
    mutationFn: (jobId: string) => call(base, cancelRepricing, { params: { projectId, jobId } }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: repricingsQuery(projectId).queryKey }),
  })
}
