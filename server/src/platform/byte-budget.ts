import { Unavailable } from './failure.ts'

/*
 * Limits the bytes of buffered request bodies over all requests, so that concurrent decompression bombs are refused
 * instead of exhausting memory.
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
