import { Unavailable } from '../../../../platform/failure.ts'

/*
 * Slows down ingestion while the search index is too far behind: batches wait, and are refused when too many bytes
 * wait or one waits for too long.
 */

export interface IngestGate {
  /** Undefined: at once. Rejects with `Unavailable`. */
  admit(sizeBytes: number): Promise<void> | undefined
  /** To be called when the index has made progress. */
  update(): void
  close(): void
}

interface WaitingBatch {
  readonly sizeBytes: number
  end(error?: Error): void
}

export interface IngestGateLimits {
  readonly waitingBytesMax: number
  readonly waitMsMax: number
}

const tooFarBehind = () =>
  new Unavailable('The search index is too far behind. Try again later.', 5)

export function openIngestGate(
  isOverdue: () => boolean,
  { waitingBytesMax, waitMsMax }: IngestGateLimits,
): IngestGate {
  const waiting = new Set<WaitingBatch>()
  let waitingBytes = 0
  return {
    admit(sizeBytes) {
      if (waiting.size === 0 && !isOverdue()) return undefined
      if (waitingBytes + sizeBytes > waitingBytesMax) return Promise.reject(tooFarBehind())
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const batch: WaitingBatch = {
        sizeBytes,
        end(error) {
          clearTimeout(timer)
          waiting.delete(batch)
          waitingBytes -= sizeBytes
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      const timer = setTimeout(() => batch.end(tooFarBehind()), waitMsMax)
      waiting.add(batch)
      waitingBytes += sizeBytes
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
