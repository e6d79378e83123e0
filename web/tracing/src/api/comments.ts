import { call } from '@assay/contract/client.ts'
import { createComment, listComments, removeComment } from '@assay/contract/comments.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

/** The comments on a trace, oldest first. */
export function commentsQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['comments', projectId, traceId],
    queryFn: ({ signal }) =>
      call(base, listComments, { params: { projectId, traceId } }, { signal }),
  })
}

export function useCreateComment(projectId: string, traceId: string) {
  const invalidate = useInvalidateComments(projectId, traceId)
  return useMutation({
    mutationFn: (text: string) =>
      call(base, createComment, { params: { projectId, traceId }, body: { text } }),
    onSuccess: invalidate,
  })
}

export function useRemoveComment(projectId: string, traceId: string) {
  const invalidate = useInvalidateComments(projectId, traceId)
  return useMutation({
    mutationFn: (commentId: string) =>
      call(base, removeComment, { params: { projectId, traceId, commentId } }),
    onSettled: invalidate,
  })
}

function useInvalidateComments(projectId: string, traceId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  const { queryKey } = commentsQuery(projectId, traceId)
  return () => queryClient.invalidateQueries({ queryKey })
}
