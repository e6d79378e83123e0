import { currentRequester } from '../../platform/current-requester.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openMemberQueue } from '../../platform/member-queue.ts'
import type { Requester } from '../../platform/requester.ts'

/*
 * The connections of a pool, shared by requesters in turns: one with hundreds of requests delays the statements of
 * others by few of its own. It has half of the connections at most, because those may wait for each other's locks.
 */

/** Resolves when a connection may be used, with the function that gives it back. Rejects with Unavailable after `waitMs`. */
export type TakeConnection = () => Promise<() => void>

interface Waiting {
  readonly requester: Requester
  start(giveBack: () => void): void
}

export function openFairConnections(connectionsMax: number, waitMs: number): TakeConnection {
  const waiting = openMemberQueue<Waiting>()
  const usedBy = new Map<string, number>()
  let used = 0

  const countUsed = (requester: Requester, change: 1 | -1) => {
    const id = requester.join(' ')
    const count = (usedBy.get(id) ?? 0) + change
    used += change
    if (count === 0) usedBy.delete(id)
    else usedBy.set(id, count)
  }
  const isBelowShare = (requester: Requester) =>
    (usedBy.get(requester.join(' ')) ?? 0) < Math.ceil(connectionsMax / 2)
  const startNext = () => {
    while (used < connectionsMax) {
      const taken = waiting.take(isBelowShare)
      if (taken === undefined) return
      const { requester, start } = taken.item
      countUsed(requester, 1)
      const startedAt = performance.now()
      start(() => {
        countUsed(requester, -1)
        taken.charge(performance.now() - startedAt)
        startNext()
      })
    }
  }
  return () => {
    const requester = currentRequester()
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    let timer: NodeJS.Timeout | undefined
    let isStarted = false
    const item: Waiting = {
      requester,
      start(giveBack) {
        isStarted = true
        clearTimeout(timer)
        resolve(giveBack)
      },
    }
    waiting.add(requester, item)
    startNext()
    if (!isStarted) {
      timer = setTimeout(() => {
        waiting.remove(requester, item)
        reject(new Unavailable('The accounts database is busy.', 1))
      }, waitMs)
    }
    return promise
  }
}
