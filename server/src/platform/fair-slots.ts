import { Unavailable } from './failure.ts'
import { openFairQueue } from './fair-queue.ts'
import type { Waiter } from './requester.ts'

/*
 * Runs a few tasks at once. Further tasks wait, and their owners take turns by the time that their tasks took: one with
 * many or long tasks does not delay or displace those of others.
 */

/** Runs `work` when it is the owner's turn. Throws Unavailable when too many wait. */
export type FairSlots = <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T>

export interface FairSlotsOptions {
  readonly runningMax: number
  /** Of one owner. Default: as many as in all. */
  readonly runningMaxOfOwner?: number
  /** Beyond it, the newest task of the owner with the most waiting ones is refused. */
  readonly waitingMax: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

interface Waiting {
  readonly owner: string
  start(charge: Charge): void
  refuse(reason: unknown): void
}

type Charge = (costMs: number) => void

export function openFairSlots({
  runningMax,
  runningMaxOfOwner = runningMax,
  waitingMax,
  refusal,
}: FairSlotsOptions): FairSlots {
  const queue = openFairQueue<Waiting>()
  const runningOf = new Map<string, number>()
  let running = 0

  const countRunning = (owner: string, change: 1 | -1) => {
    running += change
    const count = (runningOf.get(owner) ?? 0) + change
    if (count === 0) runningOf.delete(owner)
    else runningOf.set(owner, count)
  }
  const hasSlot = (owner: string) => (runningOf.get(owner) ?? 0) < runningMaxOfOwner
  const startWaiting = () => {
    while (running < runningMax) {
      const taken = queue.take(undefined, hasSlot)
      if (taken === undefined) return
      countRunning(taken.item.owner, 1)
      taken.item.start(taken.charge)
    }
  }
  const waitForTurn = async ({ owner, signal }: Waiter) => {
    signal.throwIfAborted()
    if (queue.size >= waitingMax) {
      const displaced = queue.displace(owner)
      if (displaced === undefined) throw new Unavailable(refusal, 2)
      displaced.refuse(new Unavailable(refusal, 2))
    }
    const { promise, resolve, reject } = Promise.withResolvers<Charge>()
    const item = { owner, start: resolve, refuse: reject }
    const onAbort = () => {
      queue.remove(owner, item)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    queue.add(owner, item)
    startWaiting()
    return await promise.finally(() => signal.removeEventListener('abort', onAbort))
  }
  return async (waiter, work) => {
    const charge = await waitForTurn(waiter)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      // At least as much as is expected of the first one, so that owners of short tasks take turns.
      charge(Math.max(performance.now() - startedAt, 1))
      countRunning(waiter.owner, -1)
      startWaiting()
    }
  }
}
