import { byteBudget } from '../../../platform/byte-budget.ts'
import { createFairQueue } from '../../../platform/fair-queue.ts'
import type { Recorded } from '../port/ingest.ts'
import type { WriteRequest } from './writer-thread.ts'

/*
 * Batches without an outcome yet. The writer thread has a few of them at a time; the others wait for the turn of their
 * project, so that nobody waits for many or costly batches of another project.
 */

export interface PendingBatch {
  readonly request: WriteRequest
  readonly sizeBytes: number
  readonly resolve: (recorded: Recorded) => void
  readonly reject: (error: Error) => void
}

export interface PendingBatches {
  /** Throws Unavailable when too much is pending. */
  add(batch: PendingBatch): void
  /** The batch has its outcome; undefined when all were rejected before. */
  end(id: number, costMs: number): PendingBatch | undefined
  rejectAll(error: Error): void
  /** Resolves when no batch is pending. */
  drain(): Promise<void>
}

const pendingBytesMax = 256 * 1024 * 1024
const pendingBytesOfProjectMax = pendingBytesMax / 4

export function openPendingBatches(send: (request: WriteRequest) => void): PendingBatches {
  const budget = byteBudget({
    totalBytes: pendingBytesMax,
    shareBytes: pendingBytesOfProjectMax,
    refusal: 'Too much is waiting to be stored.',
  })
  const waiting = createFairQueue<PendingBatch>()
  const sent = openSentBatches()
  const drained = Promise.withResolvers<void>()
  let isDraining = false

  const release = ({ request, sizeBytes }: PendingBatch) =>
    budget.release(request.batch.projectId, sizeBytes)
  const sendNext = () => {
    for (
      let next = waiting.take(sent.costMax);
      next !== undefined;
      next = waiting.take(sent.costMax)
    ) {
      const { item: batch, expectedCost } = next
      try {
        // Throws if the batch was sent before; then there is no outcome to wait for.
        send(batch.request)
        sent.add(batch, expectedCost)
      } catch (error) {
        release(batch)
        batch.reject(error as Error)
      }
    }
  }
  return {
    add(batch) {
      const { projectId } = batch.request.batch
      budget.take(projectId, batch.sizeBytes)
      waiting.add(projectId, batch)
      sendNext()
    },
    end(id, costMs) {
      const batch = sent.remove(id)
      if (batch === undefined) return undefined
      release(batch)
      waiting.charge(batch.request.batch.projectId, costMs)
      sendNext()
      if (isDraining && sent.size === 0) drained.resolve()
      return batch
    },
    rejectAll(error) {
      const batches = sent.removeAll()
      for (let next = waiting.take(); next !== undefined; next = waiting.take())
        batches.push(next.item)
      for (const batch of batches) {
        release(batch)
        batch.reject(error)
      }
      if (isDraining) drained.resolve()
    },
    drain() {
      isDraining = true
      if (sent.size === 0) drained.resolve()
      return drained.promise
    },
  }
}

/**
 * What the thread has at once: about two groups (see writer-thread.ts), so that it never waits for the next one. A batch
 * that takes long is alone.
 */
const sentBytesMax = 4 * 1024 * 1024
const sentBatchesMax = 2000
const sentCostMsMax = 60

function openSentBatches() {
  const sent = new Map<number, { readonly batch: PendingBatch; readonly expectedMs: number }>()
  let bytes = 0
  let ms = 0

  const remove = (id: number) => {
    const found = sent.get(id)
    if (found === undefined) return undefined
    sent.delete(id)
    bytes -= found.batch.sizeBytes
    ms -= found.expectedMs
    return found.batch
  }
  return {
    get size() {
      return sent.size
    },
    /** What the next batch may cost, in milliseconds; negative if none may be sent. */
    get costMax() {
      if (sent.size === 0) return Number.POSITIVE_INFINITY
      return bytes >= sentBytesMax || sent.size >= sentBatchesMax ? -1 : sentCostMsMax - ms
    },
    add(batch: PendingBatch, expectedMs: number) {
      sent.set(batch.request.id, { batch, expectedMs })
      bytes += batch.sizeBytes
      ms += expectedMs
    },
    remove,
    removeAll: () => [...sent.keys()].flatMap((id) => remove(id) ?? []),
  }
}
