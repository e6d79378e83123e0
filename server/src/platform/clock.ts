/** Where the time comes from; tests pass their own. */
export interface Clock {
  /** The time of day, for what is stored or shown. It steps back and forward when the machine's clock is set. */
  now(): Date
  /** Milliseconds since an arbitrary moment. It never steps: use it for rate limits and caches. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
