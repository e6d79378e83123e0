import { openFairBudget } from '../../../platform/fair-budget.ts'
import type { Recorded } from '../port/ingest.ts'

/*
 * Batches that the writer thread has and that have no outcome yet.
 */

export interface PendingBatch {
  readonly projectId: string
  readonly sizeBytes: number
  readonly resolve: (recorded: Recorded) => void
  readonly reject: (error: Error) => void
}

export interface PendingBatches {
  /** Throws Unavailable when too much is pending. */
  reserve(projectId: string, sizeBytes: number): void
  /** Ends a reservation that no batch was added for. */
  release(projectId: string, sizeBytes: number): void
  /** With the bytes that were reserved for it. */
  add(id: number, batch: PendingBatch): void
  /** The batch has its outcome; undefined when all were rejected before. */
  end(id: number): PendingBatch | undefined
  rejectAll(error: Error): void
  /** Resolves when no batch is pending. */
  drain(): Promise<void>
}

const pendingBytesMax = 256 * 1024 * 1024
const pendingBytesOfProjectMax = pendingBytesMax / 4

export function openPendingBatches(): PendingBatches {
  const budget = openFairBudget({
    total: pendingBytesMax,
    share: pendingBytesOfProjectMax,
    refusal: 'Too much is waiting to be stored.',
  })
  const batches = new Map<number, PendingBatch>()
  const drained = Promise.withResolvers<void>()
  let isDraining = false

  const end = (id: number) => {
    const batch = batches.get(id)
    if (batch === undefined) return undefined
    batches.delete(id)
    budget.release(batch.projectId, batch.sizeBytes)
    if (isDraining && batches.size === 0) drained.resolve()
    return batch
  }
  return {
    reserve: budget.take,
    release: budget.release,
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
