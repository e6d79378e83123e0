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
  /** Beyond it, the newest task of the owner with the most waiting ones is refused. */
  readonly waitingMax: number
  /** Explains the refusal to the caller. */
  readonly refusal: string
}

interface Waiting {
  start(charge: Charge): void
  refuse(reason: unknown): void
}

type Charge = (costMs: number) => void

export function openFairSlots({ runningMax, waitingMax, refusal }: FairSlotsOptions): FairSlots {
  const queue = openFairQueue<Waiting>()
  let running = 0

  const startWaiting = () => {
    while (running < runningMax) {
      const taken = queue.take()
      if (taken === undefined) return
      running += 1
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
    const item = { start: resolve, refuse: reject }
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
      running -= 1
      startWaiting()
    }
  }
}
