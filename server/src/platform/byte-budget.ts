import { Unavailable } from './failure.ts'

/*
 * How many bytes of request bodies may be held at once, over all requests. Twenty bombs at the same time
 * are then refused instead of filling the memory.
 */

export interface ByteBudget {
  /** Takes `bytes` or throws Unavailable; what was taken must be given back. */
  take(bytes: number): void
  release(bytes: number): void
}

export function byteBudget(totalBytes: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > totalBytes) {
        throw new Unavailable('Too much is being received at once. Try again shortly.', 1)
      }
      taken += bytes
    },
    release(bytes) {
      taken -= bytes
    },
  }
}
