import { call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { base } from './base.ts'

/** Deletes a trace; the lists that may contain it are refetched. */
export function useRemoveTrace(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (traceId: string) => call(base, removeTrace, { params: { projectId, traceId } }),
    onSuccess: (_answer, traceId) => {
      void queryClient.invalidateQueries({ queryKey: ['traces', projectId] })
      void queryClient.invalidateQueries({ queryKey: ['trace-count', projectId] })
      queryClient.removeQueries({ queryKey: ['comments', projectId, traceId] })
    },
  })
}
