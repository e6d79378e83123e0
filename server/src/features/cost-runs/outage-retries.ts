import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'

/** Runs `work`, again while the database is unavailable. */
export type Retry = <T>(work: () => Promise<T>) => Promise<T>

export interface OutagePorts {
  readonly clock: Clock
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  /** Between two attempts: by default half a second. */
  readonly retryPauseMs?: number | undefined
}

/** Of an execution or generation, which has cost money. */
const longestOutageMs = 20_000
/** Of what has only begun: the caller can try again. */
export const outageAtStartMs = 3000
/** Then the database is closed soon. */
const stopMs = 4000

/** Gives up when an outage lasts, once for all that is retried: what then fails is not tried again. */
export function openRetries(
  { clock, stopping, retryPauseMs = 500 }: OutagePorts,
  outageMs = longestOutageMs,
): Retry {
  let failingMs: number | undefined
  let stoppingMs: number | undefined
  return async (work) => {
    for (;;) {
      try {
        const result = await work()
        failingMs = undefined
        return result
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        const nowMs = clock.monotonicMs()
        failingMs ??= nowMs
        if (stopping.aborted) stoppingMs ??= nowMs
        const isStopped = stoppingMs !== undefined && nowMs - stoppingMs >= stopMs
        if (isStopped || nowMs - failingMs >= outageMs) throw error
        await sleep(retryPauseMs)
      }
    }
  }
}

/** Waits for a clean-up that is retried, but no longer than a caller should, who gets the reason of the failure before it. */
export async function waitBriefly(cleaningUp: Promise<unknown>): Promise<void> {
  const ended = cleaningUp.catch(() => undefined)
  await Promise.race([ended, sleep(outageAtStartMs, undefined, { ref: false })])
}
