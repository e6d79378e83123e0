import type { Clock } from './clock.ts'
import { setNewest } from './recent-entries.ts'

/*
 * Limits events by key, such as requests by network: some at once, and then one at a time. Counters are in memory and
 * restart with the process. (The generic cell rate algorithm.)
 */

export interface RateLimit {
  /** Counts an event and returns 0; over the limit, returns the milliseconds until the next one instead. */
  take(key: string): number
}

export interface RateLimitOptions {
  /** The number of events at once. */
  readonly burst: number
  /** After those, one event is allowed each time this has passed. */
  readonly intervalMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** Beyond it, the counter that was used least recently is dropped. */
export const countersMax = 10_000

export function openRateLimit({ burst, intervalMs, clock }: RateLimitOptions): RateLimit {
  // When each key may send its whole burst again, least recently counted first.
  const fullAt = new Map<string, number>()
  return {
    take(key) {
      const now = clock.monotonicMs()
      const next = Math.max(fullAt.get(key) ?? now, now) + intervalMs
      const waitMs = next - now - burst * intervalMs
      if (waitMs > 0) return waitMs
      setNewest(fullAt, key, next, countersMax)
      return 0
    },
  }
}
