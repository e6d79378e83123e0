import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { openRepeatedFailures } from '../../platform/repeated-failures.ts'
import type { CostRunLease } from '../../storage/accounts/cost-run-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * The lease of a run while it is executed or its scenarios are written. It is also where others cancel that. Its times
 * are those of the database, so that clocks of servers may differ.
 */

const leaseMs = 30_000
const extendAfterMs = leaseMs / 3
/** What runs has the rest of the time to end before something else can start. */
const giveUpAfterMs = (leaseMs * 2) / 3
/** Every process of the service sees a cancellation, so that it need not be the one that runs. */
const checkMs = 1000

export interface RunLeasePorts {
  readonly accounts: {
    readonly costRuns: Pick<AccountStores['costRuns'], 'extend' | 'mayContinue'>
    readonly clock: AccountStores['clock']
  }
  readonly clock: Clock
  readonly log: Log
}

/** A lease that starts now. */
export async function leaseTime(
  clock: AccountStores['clock'],
): Promise<{ readonly now: string; readonly until: string }> {
  const now = await clock.now()
  return { now, until: new Date(Date.parse(now) + leaseMs).toISOString() }
}

export interface HeldLease {
  /** Aborts when somebody cancels, when something else has taken the lease or soon may, and when the run is gone. */
  readonly signal: AbortSignal
  /** Whether it aborted for another reason than that it could not be extended. */
  isCanceled(): boolean
  /** Stops extending it. */
  end(): void
}

export function keepLease(lease: CostRunLease, { accounts, clock, log }: RunLeasePorts): HeldLease {
  const { costRuns } = accounts
  const over = new AbortController()
  const failures = openRepeatedFailures(log, 'the lease of a run could not be checked')
  let isCanceled = false
  let isChecking = false
  // A part of it has passed since it was taken, so the first check extends it.
  let extendedMs = clock.monotonicMs() - extendAfterMs
  const check = async (nowMs: number) => {
    const isDue = nowMs - extendedMs >= extendAfterMs
    const continues = isDue
      ? await costRuns.extend(lease, (await leaseTime(accounts.clock)).until)
      : await costRuns.mayContinue(lease)
    if (!continues) {
      isCanceled = true
      over.abort()
    } else if (isDue) extendedMs = nowMs
  }
  const tick = async () => {
    const nowMs = clock.monotonicMs()
    // Also while a check hangs, and after a pause of the process.
    if (nowMs - extendedMs >= giveUpAfterMs && !over.signal.aborted) {
      log.warn('what a run does is stopped: its lease could not be extended', {
        runId: lease.runId,
      })
      over.abort()
    }
    if (isChecking) return
    isChecking = true
    try {
      await check(nowMs)
      failures.onSuccess()
    } catch (error) {
      failures.onFailure(error)
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(() => void tick(), checkMs)
  return {
    signal: over.signal,
    isCanceled: () => isCanceled,
    end: () => clearInterval(timer),
  }
}
