import { ApiError, call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { useMutation } from '@tanstack/react-query'
import { base } from './base.ts'

/**
 * Removes traces one after the other. `onRemoved` is told of each that is gone, also where somebody else has just
 * removed it; the first failure ends it.
 */
export function useRemoveTraces(projectId: string, onRemoved: (traceId: string) => void) {
  return useMutation({
    async mutationFn(traceIds: readonly string[]) {
      for (const traceId of traceIds) {
        try {
          await call(base, removeTrace, { params: { projectId, traceId } })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
        }
        onRemoved(traceId)
      }
    },
  })
}
