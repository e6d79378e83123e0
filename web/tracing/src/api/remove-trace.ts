import { call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

/** Deletes a trace; the lists that may contain it are refetched. */
export function useRemoveTrace(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (traceId: string) => call(base, removeTrace, { params: { projectId, traceId } }),
    onSuccess: (_answer, traceId) => {
      dropCachedTrace(queryClient, projectId, traceId)
      void queryClient.invalidateQueries({ queryKey: ['traces', projectId] })
      void queryClient.invalidateQueries({ queryKey: ['trace-count', projectId] })
    },
  })
}

const traceKeys = ['trace', 'span', 'comments', 'trace-bodies', 'trace-logs', 'turn'] as const

/** Removes a deleted trace from the cache, so that going back does not show it. */
export function dropCachedTrace(client: QueryClient, projectId: string, traceId: string): void {
  for (const key of traceKeys) client.removeQueries({ queryKey: [key, projectId, traceId] })
}
