import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { CostRunLease } from '../../storage/accounts/cost-run-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * The lease of a run while it is executed or its scenarios are written. It is also where others cancel that.
 */

const leaseMs = 30_000
/** Every process of the service sees a cancellation, so that it need not be the one that runs. */
const checkMs = 1000

export interface RunLeasePorts {
  readonly accounts: Pick<AccountStores, 'costRuns'>
  readonly clock: Clock
  readonly log: Log
}

/** A lease that starts now. */
export function leaseTime(clock: Clock): { readonly now: string; readonly until: string } {
  const nowMs = clock.now().getTime()
  const until = new Date(nowMs + leaseMs).toISOString()
  return { now: new Date(nowMs).toISOString(), until }
}

export interface HeldLease {
  /** Aborts when somebody cancels, when something else has taken the lease, and when the run is gone. */
  readonly signal: AbortSignal
  /** Stops extending it. */
  end(): void
}

export function keepLease(
  lease: CostRunLease,
  { accounts: { costRuns }, clock, log }: RunLeasePorts,
): HeldLease {
  const over = new AbortController()
  let extendedMs = clock.monotonicMs()
  const check = async () => {
    const isDue = clock.monotonicMs() - extendedMs >= leaseMs / 3
    try {
      const continues = isDue
        ? await costRuns.extend(lease, leaseTime(clock).until)
        : await costRuns.mayContinue(lease)
      if (!continues) over.abort()
      else if (isDue) extendedMs = clock.monotonicMs()
    } catch (error) {
      log.error('the lease of a run could not be checked', error)
    }
  }
  const timer = setInterval(() => void check(), checkMs)
  return { signal: over.signal, end: () => clearInterval(timer) }
}
