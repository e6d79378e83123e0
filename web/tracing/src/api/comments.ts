import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import { createComment, listComments, removeComment } from '@assay/contract/comments.ts'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/** The comments on a trace, oldest first, page by page. */
export function commentsQuery(projectId: string, traceId: string) {
  return infiniteQueryOptions({
    queryKey: ['comments', projectId, traceId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = cursor === undefined ? {} : { cursor }
      return callWithMeta(base, listComments, { params: { projectId, traceId }, query }, { signal })
    },
    getNextPageParam: ({ meta }) => meta.cursor ?? undefined,
    select: ({ pages }) => ({
      comments: pages.flatMap(({ data }) => data),
      total: pages.at(-1)?.meta.total ?? 0,
    }),
  })
}

export function useCreateComment(projectId: string, traceId: string) {
  const queryClient = useQueryClient()
  const query = commentsQuery(projectId, traceId)
  return useMutation({
    mutationFn: (text: string) =>
      call(base, createComment, { params: { projectId, traceId }, body: { text } }),
    // Loads all pages, because a new comment is on the last one.
    async onSuccess() {
      const allPages = { ...query, pages: Infinity, staleTime: 0 }
      // The comment is stored; the list shows why it could not be refreshed.
      await queryClient.infiniteQuery(allPages).catch(() => {})
    },
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
