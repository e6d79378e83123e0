/*
 * Pauses between attempts to reconnect.
 */

const firstPauseMs = 500
const longestPauseMs = 20_000

/** Longer after each failure, and spread, so that clients do not return all at once. */
export function backoffMs(failures: number): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
  return pauseMs * (0.75 + Math.random() / 2)
}

/** Ends early, without an error, when `signal` aborts. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, durationMs)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
