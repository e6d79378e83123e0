import { base } from '@assay/account/api/base.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dropCachedTrace } from './remove-trace.ts'

/**
 * Deletes traces one by one. Calls `onRemoved` for each deleted trace, including those already deleted by
 * someone else; stops at the first failure.
 */
export function useRemoveTraces(projectId: string, onRemoved: (traceId: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(traceIds: readonly string[]) {
      for (const traceId of traceIds) {
        try {
          await call(base, removeTrace, { params: { projectId, traceId } })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
        }
        dropCachedTrace(queryClient, projectId, traceId)
        onRemoved(traceId)
      }
    },
  })
}
