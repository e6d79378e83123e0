import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import type { Args, DataOf } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createReviewQueue,
  listReviewQueues,
  openReviewItem,
  removeReviewQueue,
  reviewTrace,
} from '@assay/contract/review-queues.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useInvalidateScores } from './scores.ts'

/** Newest first. */
export function reviewQueuesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['review-queues', projectId],
    queryFn: ({ signal }) => call(base, listReviewQueues, { params: { projectId } }, { signal }),
  })
}

export type ReviewQueueBody = Args<typeof createReviewQueue>['body']

export function useCreateReviewQueue(projectId: string) {
  const onSuccess = useInvalidateQueues(projectId)
  return useMutation({
    mutationFn: (body: ReviewQueueBody) =>
      call(base, createReviewQueue, { params: { projectId }, body }),
    onSuccess,
  })
}

export function useRemoveReviewQueue(projectId: string) {
  const onSettled = useInvalidateQueues(projectId)
  return useMutation({
    mutationFn: (queueId: string) =>
      call(base, removeReviewQueue, { params: { projectId, queueId } }),
    onSettled,
  })
}

function useInvalidateQueues(projectId: string): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = reviewQueuesQuery(projectId)
  return () => queryClient.invalidateQueries({ queryKey })
}

export type OpenedReview = DataOf<typeof openReviewItem>

/** Opening a trace again extends the time for which it is held. */
const refetchMs = (limits.reviewHoldMinutes.value * 60_000) / 3

/** Opens a trace of a queue: the one at the position, or the first one that is free. */
export function openedReviewQuery(projectId: string, queueId: string, position?: number) {
  return queryOptions({
    queryKey: ['opened-review', projectId, queueId, position],
    queryFn: ({ signal }) => {
      const body = position === undefined ? {} : { position }
      return call(base, openReviewItem, { params: { projectId, queueId }, body }, { signal })
    },
    refetchInterval: refetchMs,
    refetchOnWindowFocus: false,
    // It was opened by the request for the next trace.
    staleTime: 5000,
  })
}

/** Opens the next free trace after a position, or the first one if there is none. */
export function useOpenNextReview(projectId: string, queueId: string) {
  const cache = useCacheOpened(projectId, queueId)
  return useMutation({
    mutationFn: (after: number) => openNext(projectId, queueId, after),
    onSuccess: cache,
  })
}

export type ReviewBody = Args<typeof reviewTrace>['body']

/** Scores the trace at a position, then opens the next one. */
export function useReviewTrace(projectId: string, queueId: string, traceId: string) {
  const cache = useCacheOpened(projectId, queueId)
  const invalidateScores = useInvalidateScores(projectId, traceId)
  const invalidateQueues = useInvalidateQueues(projectId)
  return useMutation({
    mutationFn: async (body: ReviewBody) => {
      await call(base, reviewTrace, { params: { projectId, queueId }, body })
      return await openNext(projectId, queueId, body.position)
    },
    onSuccess: cache,
    onSettled() {
      void invalidateScores()
      void invalidateQueues()
    },
  })
}

async function openNext(projectId: string, queueId: string, after: number): Promise<OpenedReview> {
  const params = { projectId, queueId }
  const opened = await call(base, openReviewItem, { params, body: { after } })
  if (opened.item !== null || after === 0) return opened
  return await call(base, openReviewItem, { params, body: {} })
}

function useCacheOpened(projectId: string, queueId: string): (opened: OpenedReview) => void {
  const queryClient = useQueryClient()
  return (opened) => {
    const ofQueue = ['opened-review', projectId, queueId]
    void queryClient.invalidateQueries({ queryKey: ofQueue, refetchType: 'none' })
    const { queryKey } = openedReviewQuery(projectId, queueId, opened.item?.position)
    queryClient.setQueryData(queryKey, opened)
  }
}
