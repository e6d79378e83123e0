import type { Clock } from '../src/platform/clock.ts'

/** A clock at the time that `now` returns, in milliseconds. Both of its times pass as that changes. */
export function clockAt(now: () => number): Clock {
  return { now: () => new Date(now()), monotonicMs: now }
}

/** A clock that a test moves forward, and whose time of day it sets apart from that. */
export interface SteppedClock extends Clock {
  /** Lets time pass. */
  pass(ms: number): void
  /** Sets the time of day forward or, with a negative value, back. */
  step(ms: number): void
}

export function steppedClock(startMs: number): SteppedClock {
  let passedMs = 0
  let steppedMs = 0
  return {
    now: () => new Date(startMs + passedMs + steppedMs),
    monotonicMs: () => passedMs,
    pass(ms) {
      passedMs += ms
    },
    step(ms) {
      steppedMs += ms
    },
  }
}
