import { currentRequester } from '../../platform/current-requester.ts'
import { Unavailable } from '../../platform/failure.ts'
import { openMemberQueue } from '../../platform/member-queue.ts'

/*
 * The connections of a pool, shared by requesters in turns: one with hundreds of requests delays the statements of
 * others by few of its own.
 */

/** Resolves when a connection may be used, with the function that gives it back. Rejects with Unavailable after `waitMs`. */
export type TakeConnection = () => Promise<() => void>

export function openFairConnections(connectionsMax: number, waitMs: number): TakeConnection {
  const waiting = openMemberQueue<(giveBack: () => void) => void>()
  let used = 0

  const startNext = () => {
    while (used < connectionsMax) {
      const taken = waiting.take()
      if (taken === undefined) return
      used += 1
      const startedAt = performance.now()
      taken.item(() => {
        used -= 1
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
    const start = (giveBack: () => void) => {
      isStarted = true
      clearTimeout(timer)
      resolve(giveBack)
    }
    waiting.add(requester, start)
    startNext()
    if (!isStarted) {
      timer = setTimeout(() => {
        waiting.remove(requester, start)
        reject(new Unavailable('The accounts database is busy.', 1))
      }, waitMs)
    }
    return promise
  }
}
