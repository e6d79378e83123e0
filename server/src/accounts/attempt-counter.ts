import { limits } from '@assay/contract/limits.ts'
import type { Counter, CounterChange, CounterRule } from '../platform/counters.ts'

/*
 * Counts attempts that may fail, such as sign-ins: after the first few, each further one has to wait longer.
 */

export interface AttemptLimit {
  /** The number of successive attempts without a wait. */
  readonly free: number
  /** One attempt no longer counts for each such period without a new one. */
  readonly expiryMs: number
}

export interface AttemptCounter {
  /** Counts an attempt and returns 0, or returns the milliseconds until one is allowed. */
  count(key: string): Promise<number>
  /** Takes an attempt back. */
  subtract(key: string): Promise<void>
  clear(key: string): Promise<void>
}

const firstWaitMs = 1_000
const longestWaitMs = limits.signInWaitSecondsMax.value * 1000

/** The state is the number of attempts and the time of the last one. */
export function openAttemptCounter(counter: Counter, limit: AttemptLimit): AttemptCounter {
  const { free, expiryMs } = limit
  const counted = (attempts: number, lastAt: number) => ({
    state: [attempts, lastAt],
    expiresAtMs: lastAt + Math.max(attempts * expiryMs, longestWaitMs),
  })
  const add: CounterRule = ([stored = 0, storedAt = 0], now) => {
    const lastAt = Math.min(storedAt, now)
    const attempts = Math.max(0, stored - Math.floor((now - lastAt) / expiryMs))
    const over = attempts - free
    const waitMs = over < 0 ? 0 : lastAt + Math.min(longestWaitMs, firstWaitMs * 2 ** over) - now
    if (waitMs <= 0) return counted(attempts + 1, now)
    return storedAt > now ? { ...counted(attempts, now), waitMs } : waitMs
  }
  const subtract: CounterChange = ([attempts, lastAt]) =>
    attempts === undefined || lastAt === undefined ? undefined : counted(attempts - 1, lastAt)
  return {
    count: (key) => counter.count(key, add),
    subtract: (key) => counter.update(key, subtract),
    clear: (key) => counter.remove(key),
  }
}
