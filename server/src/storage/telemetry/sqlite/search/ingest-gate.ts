import { Unavailable } from '../../../../platform/failure.ts'
import { openByteBudget } from '../../../../platform/member-budget.ts'
import type { Requester } from '../../../../platform/requester.ts'

/*
 * Slows down ingestion while the search index is too far behind: batches of the projects that send most wait, and are
 * refused when too many bytes wait, in all or of their organization or project, or one waits for too long. The others go
 * on, and are found later.
 */

export interface IngestGate {
  /** For a batch of a project. Undefined: at once. Rejects with `Unavailable`. */
  admit(requester: Requester, sizeBytes: number): Promise<void> | undefined
  /** To be called when the index has made progress. */
  update(): void
  close(): void
}

interface WaitingBatch {
  readonly requester: Requester
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

/**
 * Up to this part of what arrived lately, a project does not wait. The projects of an organization that do not wait may
 * send no more together.
 */
const lightShare = 1 / 8
/** The same for so many bytes in two windows, until nobody is admitted. */
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
  const budget = openByteBudget({
    total: waitingBytesMax,
    ofOrganization: waitingBytesMax / 2,
    ofUser: waitingBytesMax / 4,
    refusal,
  })
  const { mayPass, count } = openPassing(lag, monotonicMs)
  return {
    admit(requester, sizeBytes) {
      const [, projectId] = requester
      // Those of a project keep their order.
      if (!waitingOf.has(projectId) && mayPass(requester, sizeBytes)) {
        count(requester, sizeBytes)
        return undefined
      }
      let release: () => void
      try {
        release = budget.take(requester, sizeBytes)
      } catch {
        return Promise.reject(tooFarBehind())
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const batch: WaitingBatch = {
        requester,
        sizeBytes,
        end(error) {
          clearTimeout(timer)
          waiting.delete(batch)
          countWaiting(projectId, -1)
          release()
          if (error !== undefined) return reject(error)
          count(requester, sizeBytes)
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
        const { requester, sizeBytes } = batch
        const [, projectId] = requester
        if (behind.has(projectId)) continue
        if (mayPass(requester, sizeBytes)) batch.end()
        else behind.add(projectId)
      }
    },
    close() {
      for (const batch of waiting) batch.end(new Unavailable('The telemetry store is closing.', 5))
    },
  }
}

interface Passing {
  mayPass(requester: Requester, sizeBytes: number): boolean
  /** A batch was admitted. */
  count(requester: Requester, sizeBytes: number): void
}

function openPassing(lag: () => number, monotonicMs: () => number): Passing {
  /** By project. */
  const sent = openRecentBytes(monotonicMs)
  /** By organization: what was admitted while the index was behind. */
  const passed = openRecentBytes(monotonicMs)
  const mayPass: Passing['mayPass'] = ([organizationId, projectId], sizeBytes) => {
    const behind = lag()
    if (behind <= 1) return true
    if (behind > smallLagMax) return false
    const { own, total } = sent.of(projectId)
    const most = Math.max(own, passed.of(organizationId).own) + sizeBytes
    if (most <= smallBytes) return true
    return behind <= lightLagMax && most <= lightShare * (total + sizeBytes)
  }
  const count: Passing['count'] = ([organizationId, projectId], sizeBytes) => {
    sent.add(projectId, sizeBytes)
    if (lag() > 1) passed.add(organizationId, sizeBytes)
  }
  return { mayPass, count }
}

interface RecentBytes {
  add(owner: string, bytes: number): void
  of(owner: string): { readonly own: number; readonly total: number }
}

/** The bytes of each owner in the current window and the one before. */
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
    add(owner, bytes) {
      rotate()
      windows[0].set(owner, (windows[0].get(owner) ?? 0) + bytes)
      totals = [totals[0] + bytes, totals[1]]
    },
    of(owner) {
      rotate()
      const own = (windows[0].get(owner) ?? 0) + (windows[1].get(owner) ?? 0)
      return { own, total: totals[0] + totals[1] }
    },
  }
}
