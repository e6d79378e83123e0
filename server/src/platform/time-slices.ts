import { openMemberQueue } from './member-queue.ts'
import type { Requester } from './requester.ts'

/*
 * Turns on the event loop for work that comes in small pieces, such as requests and the events of streams: what is
 * received at once would otherwise be processed at once, and nothing else runs meanwhile. Requesters share the time.
 */

export interface TimeSlices {
  /** Undefined if the next piece may be processed now; else resolves when it is its turn. */
  take(requester: Requester): Promise<void> | undefined
}

/** `sliceMs`: the time for all pieces before other work of the process can run. */
export function openTimeSlices(sliceMs: number): TimeSlices {
  const waiting = openMemberQueue<() => void>()
  /** Undefined while no piece has been processed since other work could run. */
  let sliceEndsAt: number | undefined
  let isScheduled = false

  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(begin)
  }
  const begin = () => {
    isScheduled = false
    sliceEndsAt = undefined
    if (waiting.size === 0) return
    startSlice()
    release()
  }
  const startSlice = () => {
    sliceEndsAt = performance.now() + sliceMs
    schedule()
  }
  const release = () => {
    const next = waiting.take()
    if (next === undefined) return
    const startedAt = performance.now()
    next.item()
    // After all that follows from the piece without waiting for anything else.
    queueMicrotask(() =>
      process.nextTick(() => {
        const now = performance.now()
        next.charge(now - startedAt)
        if (sliceEndsAt !== undefined && now < sliceEndsAt) release()
      }),
    )
  }
  return {
    take(requester) {
      if (waiting.size === 0) {
        if (sliceEndsAt === undefined) startSlice()
        if (performance.now() < (sliceEndsAt ?? 0)) return undefined
      }
      schedule()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(requester, resolve)
      return promise
    },
  }
}
