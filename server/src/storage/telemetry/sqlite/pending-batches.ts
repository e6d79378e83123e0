import { openByteBudget } from '../../../platform/member-budget.ts'
import type { Requester } from '../../../platform/requester.ts'
import type { Recorded } from '../port/ingest.ts'

/*
 * Batches that the writer thread has and that have no outcome yet.
 */

export interface PendingBatch {
  readonly projectId: string
  readonly resolve: (recorded: Recorded) => void
  readonly reject: (error: Error) => void
}

export interface PendingBatches {
  /** Throws Unavailable when too much is pending. Call the returned function once the bytes are stored. */
  reserve(requester: Requester, sizeBytes: number): () => void
  add(id: number, batch: PendingBatch): void
  /** The batch has its outcome; undefined when all were rejected before. */
  end(id: number): PendingBatch | undefined
  rejectAll(error: Error): void
  /** Resolves when no batch is pending. */
  drain(): Promise<void>
}

const pendingBytesMax = 256 * 1024 * 1024

export function openPendingBatches(): PendingBatches {
  const budget = openByteBudget({
    total: pendingBytesMax,
    ofOrganization: pendingBytesMax / 2,
    ofUser: pendingBytesMax / 4,
    refusal: 'Too much is waiting to be stored.',
  })
  const batches = new Map<number, PendingBatch>()
  const drained = Promise.withResolvers<void>()
  let isDraining = false

  const end = (id: number) => {
    const batch = batches.get(id)
    if (batch === undefined) return undefined
    batches.delete(id)
    if (isDraining && batches.size === 0) drained.resolve()
    return batch
  }
  return {
    reserve: budget.take,
    add: (id, batch) => void batches.set(id, batch),
    end,
    rejectAll(error) {
      for (const id of batches.keys()) end(id)?.reject(error)
    },
    drain() {
      isDraining = true
      if (batches.size === 0) drained.resolve()
      return drained.promise
    },
  }
}
