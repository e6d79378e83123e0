import { Unavailable } from '../../../../platform/failure.ts'
import { openFairBudget } from '../../../../platform/fair-budget.ts'

/*
 * Slows down ingestion while the search index is too far behind: batches of the projects that send most wait, and are
 * refused when too many bytes wait, in all or of their project, or one waits for too long. The others go on, and are
 * found later.
 */

export interface IngestGate {
  /** Undefined: at once. Rejects with `Unavailable`. */
  admit(projectId: string, sizeBytes: number): Promise<void> | undefined
  /** To be called when the index has made progress. */
  update(): void
  close(): void
}

interface WaitingBatch {
  readonly projectId: string
  readonly sizeBytes: number
  end(error?: Error): void
}

export interface IngestGateOptions {
  /** How far the index is behind, as a multiple of what is accepted. */
  readonly lag: () => number
  readonly waitingBytesMax: number
  readonly waitMsMax: number
  readonly monotonicMs?: () => number
}

/** Up to this part of what arrived lately, a project does not wait. */
const lightShare = 1 / 8
/** Every project may send so many bytes in two windows, until nobody is admitted. */
const smallBytes = 1024 * 1024
const windowMs = 10_000
/** Above this multiple of the accepted lag, only projects that send few bytes are admitted. */
const lightLagMax = 3
/** Above this one, nobody is. */
const smallLagMax = 6

const refusal = 'The search index is too far behind. Try again later.'
const tooFarBehind = () => new Unavailable(refusal, 5)

export function openIngestGate(options: IngestGateOptions): IngestGate {
  const { lag, waitingBytesMax, waitMsMax, monotonicMs = () => performance.now() } = options
  const waiting = new Set<WaitingBatch>()
  const waitingOf = new Map<string, number>()
  const countWaiting = (projectId: string, change: 1 | -1) => {
    const count = (waitingOf.get(projectId) ?? 0) + change
    if (count === 0) waitingOf.delete(projectId)
    else waitingOf.set(projectId, count)
  }
  const budget = openFairBudget({
    total: waitingBytesMax,
    share: waitingBytesMax / 2,
    refusal,
  })
  const recent = openRecentBytes(monotonicMs)
  const mayPass = (projectId: string, sizeBytes: number) => {
    const behind = lag()
    if (behind <= 1) return true
    if (behind > smallLagMax) return false
    const { own, total } = recent.of(projectId)
    if (own + sizeBytes <= smallBytes) return true
    return behind <= lightLagMax && own + sizeBytes <= lightShare * (total + sizeBytes)
  }
  return {
    admit(projectId, sizeBytes) {
      // Those of a project keep their order.
      if (!waitingOf.has(projectId) && mayPass(projectId, sizeBytes)) {
        recent.add(projectId, sizeBytes)
        return undefined
      }
      try {
        budget.take(projectId, sizeBytes)
      } catch {
        return Promise.reject(tooFarBehind())
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const batch: WaitingBatch = {
        projectId,
        sizeBytes,
        end(error) {
          clearTimeout(timer)
          waiting.delete(batch)
          countWaiting(projectId, -1)
          budget.release(projectId, sizeBytes)
          if (error !== undefined) return reject(error)
          recent.add(projectId, sizeBytes)
          resolve()
        },
      }
      const timer = setTimeout(() => batch.end(tooFarBehind()), waitMsMax)
      waiting.add(batch)
      countWaiting(projectId, 1)
      return promise
    },
    update() {
      const behind = new Set<string>()
      for (const batch of waiting) {
        const { projectId, sizeBytes } = batch
        if (behind.has(projectId)) continue
        if (mayPass(projectId, sizeBytes)) batch.end()
        else behind.add(projectId)
      }
    },
    close() {
      for (const batch of waiting) batch.end(new Unavailable('The telemetry store is closing.', 5))
    },
  }
}

interface RecentBytes {
  add(projectId: string, bytes: number): void
  of(projectId: string): { readonly own: number; readonly total: number }
}

/** The bytes of each project in the current window and the one before. */
function openRecentBytes(monotonicMs: () => number): RecentBytes {
  let windows = [new Map<string, number>(), new Map<string, number>()] as const
  let totals: readonly [current: number, before: number] = [0, 0]
  let endsAt = 0
  const rotate = () => {
    const now = monotonicMs()
    if (now < endsAt) return
    const isGap = now >= endsAt + windowMs
    windows = [new Map(), isGap ? new Map() : windows[0]]
    totals = [0, isGap ? 0 : totals[0]]
    endsAt = now + windowMs
  }
  return {
    add(projectId, bytes) {
      rotate()
      windows[0].set(projectId, (windows[0].get(projectId) ?? 0) + bytes)
      totals = [totals[0] + bytes, totals[1]]
    },
    of(projectId) {
      rotate()
      const own = (windows[0].get(projectId) ?? 0) + (windows[1].get(projectId) ?? 0)
      return { own, total: totals[0] + totals[1] }
    },
  }
}
