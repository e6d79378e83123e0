import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Deletes a trace; the lists that may contain it are refetched. `leave` navigates away from the page of the
 * trace, which is still shown until then.
 */
export function useRemoveTrace(projectId: string, leave: () => Promise<void>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (traceId: string) => call(base, removeTrace, { params: { projectId, traceId } }),
    onSuccess: (_answer, traceId) => {
      // Dropped earlier, the page would show `Trace not found` before the list appears.
      void leave().finally(() => dropCachedTrace(queryClient, projectId, traceId))
      void queryClient.invalidateQueries({ queryKey: ['traces', projectId] })
      void queryClient.invalidateQueries({ queryKey: ['trace-count', projectId] })
    },
  })
}

const traceKeys = ['trace', 'span', 'comments', 'trace-bodies', 'trace-logs', 'turn'] as const

/** Removes a deleted trace from the cache. A page that still shows it refetches it and finds it missing. */
export function dropCachedTrace(client: QueryClient, projectId: string, traceId: string): void {
  for (const key of traceKeys) {
    const queryKey = [key, projectId, traceId]
    client.removeQueries({ queryKey, type: 'inactive' })
    void client.resetQueries({ queryKey })
  }
}
