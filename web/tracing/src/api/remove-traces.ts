import { base } from '@assay/account/api/base.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dropCachedTrace } from './remove-trace.ts'

/** At once: each deletion waits for the disk. */
const parallelRequests = 4

/**
 * Deletes traces. Calls `onRemoved` for each deleted trace, including those already deleted by someone else; starts no
 * further one after a failure. `removedCount` is the progress.
 */
export function useRemoveTraces(projectId: string, onRemoved: (traceId: string) => void) {
  const queryClient = useQueryClient()
  const [removedCount, setRemovedCount] = useState(0)

  async function remove(traceId: string): Promise<void> {
    try {
      await call(base, removeTrace, { params: { projectId, traceId } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
    }
    dropCachedTrace(queryClient, projectId, traceId)
    setRemovedCount((before) => before + 1)
    onRemoved(traceId)
  }

  const mutation = useMutation({
    async mutationFn(traceIds: readonly string[]) {
      setRemovedCount(0)
      const waiting = [...traceIds]
      const removeInTurn = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          await remove(next).catch((error: unknown) => {
            waiting.length = 0
            throw error
          })
        }
      }
      await Promise.all(Array.from({ length: parallelRequests }, removeInTurn))
    },
  })
  return { mutation, removedCount }
}
