import { Unavailable } from '../../../../platform/failure.ts'
import { openFairBudget } from '../../../../platform/fair-budget.ts'

/*
 * Slows down ingestion while the search index is too far behind: batches wait, and are refused when too many bytes
 * wait, in all or of their project, or one waits for too long.
 */

export interface IngestGate {
  /** Undefined: at once. Rejects with `Unavailable`. */
  admit(projectId: string, sizeBytes: number): Promise<void> | undefined
  /** To be called when the index has made progress. */
  update(): void
  close(): void
}

interface WaitingBatch {
  end(error?: Error): void
}

export interface IngestGateLimits {
  readonly waitingBytesMax: number
  readonly waitMsMax: number
}

const refusal = 'The search index is too far behind. Try again later.'
const tooFarBehind = () => new Unavailable(refusal, 5)

export function openIngestGate(
  isOverdue: () => boolean,
  { waitingBytesMax, waitMsMax }: IngestGateLimits,
): IngestGate {
  const waiting = new Set<WaitingBatch>()
  const budget = openFairBudget({
    total: waitingBytesMax,
    share: waitingBytesMax / 2,
    refusal,
  })
  return {
    admit(projectId, sizeBytes) {
      if (waiting.size === 0 && !isOverdue()) return undefined
      try {
        budget.take(projectId, sizeBytes)
      } catch {
        return Promise.reject(tooFarBehind())
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const batch: WaitingBatch = {
        end(error) {
          clearTimeout(timer)
          waiting.delete(batch)
          budget.release(projectId, sizeBytes)
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      const timer = setTimeout(() => batch.end(tooFarBehind()), waitMsMax)
      waiting.add(batch)
      return promise
    },
    update() {
      if (isOverdue()) return
      for (const batch of waiting) batch.end()
    },
    close() {
      for (const batch of waiting) batch.end(new Unavailable('The telemetry store is closing.', 5))
    },
  }
}
