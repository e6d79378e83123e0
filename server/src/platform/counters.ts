import type { Clock } from './clock.ts'
import { setNewest } from './recent-entries.ts'

/*
 * Counters of events by key, the state behind every rate limit. A process that is alone has them in memory; processes
 * that serve one installation share them (docs/adr/0030-shared-rate-limits.md).
 */

/** A few numbers, which the rule of a counter interprets. Empty before the first event, and once the counter has expired. */
export type CounterState = readonly number[]

export interface Counted {
  readonly state: CounterState
  /** When the counter may be dropped. */
  readonly expiresAtMs: number
  /** The event is not allowed, and the state was only corrected, because the clock was set back. */
  readonly waitMs?: number
}

/**
 * Returns the state after an event at `nowMs`, or how many milliseconds are left until it is allowed. May be called more
 * than once for an event.
 */
export type CounterRule = (state: CounterState, nowMs: number) => Counted | number

/** Returns the next state; undefined leaves it as it is. May be called more than once. */
export type CounterChange = (state: CounterState, nowMs: number) => Counted | undefined

/** Each operation is one step, whichever process runs it. Rejects with `Unavailable` when the state cannot be reached. */
export interface Counter {
  /** Counts an event and returns 0, or returns the milliseconds until the rule allows it. */
  count(key: string, rule: CounterRule): Promise<number>
  update(key: string, change: CounterChange): Promise<void>
  has(key: string): Promise<boolean>
  remove(key: string): Promise<void>
}

/** The counter of that name. */
export type Counters = (name: string) => Counter

/** Of a counter in memory. Beyond it, the key that was counted least recently is dropped. */
export const memoryCountersMax = 10_000

/** Counters of this process, which restart with it. */
export function memoryCounters(clock: Pick<Clock, 'monotonicMs'>): Counters {
  const counters = new Map<string, Counter>()
  return (name) => {
    const counter = counters.get(name) ?? memoryCounter(clock)
    counters.set(name, counter)
    return counter
  }
}

function memoryCounter(clock: Pick<Clock, 'monotonicMs'>): Counter {
  const states = new Map<string, CounterState>()
  return {
    count: async (key, rule) => countInMemory(states, key, rule, clock),
    async update(key, change) {
      countInMemory(states, key, (state, now) => change(state, now) ?? 0, clock)
    },
    has: async (key) => states.has(key),
    async remove(key) {
      states.delete(key)
    },
  }
}

/** For what is limited by process. */
export function countInMemory(
  states: Map<string, CounterState>,
  key: string,
  rule: CounterRule,
  clock: Pick<Clock, 'monotonicMs'>,
): number {
  const next = rule(states.get(key) ?? [], clock.monotonicMs())
  if (typeof next === 'number') return next
  setNewest(states, key, next.state, memoryCountersMax)
  return next.waitMs ?? 0
}
