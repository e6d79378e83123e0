import type { Clock } from './clock.ts'
import { type Counter, type CounterRule, type CounterState, countInMemory } from './counters.ts'

/*
 * Limits events by key, such as requests by network: some at once, and then one at a time. (The generic cell rate
 * algorithm.)
 */

export interface RateLimit {
  /**
   * Counts an event and returns 0; over the limit, returns the milliseconds until the next one instead. Rejects with
   * `Unavailable` when the counters cannot be reached: what cannot be counted is not allowed.
   */
  take(key: string): Promise<number>
}

export interface Rate {
  /** The number of events at once. */
  readonly burst: number
  /** After those, one event is allowed each time this has passed. */
  readonly intervalMs: number
}

export function openRateLimit(counter: Counter, rate: Rate): RateLimit {
  const rule = rateRule(rate)
  return { take: (key) => counter.count(key, rule) }
}

/** A limit of this process alone, which needs no wait: `take` of `RateLimit`. */
export function openProcessRateLimit(
  clock: Pick<Clock, 'monotonicMs'>,
  rate: Rate,
): (key: string) => number {
  const rule = rateRule(rate)
  const states = new Map<string, CounterState>()
  return (key) => countInMemory(states, key, rule, clock)
}

/** The state is when the key may send its whole burst again. */
function rateRule({ burst, intervalMs }: Rate): CounterRule {
  const burstMs = burst * intervalMs
  return ([fullAt = 0], now) => {
    const latest = now + burstMs
    if (fullAt > latest) return { state: [latest], expiresAtMs: latest, waitMs: intervalMs }
    const next = Math.max(fullAt, now) + intervalMs
    const waitMs = next - latest
    return waitMs > 0 ? waitMs : { state: [next], expiresAtMs: next }
  }
}
