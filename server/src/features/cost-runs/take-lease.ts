import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunLease, RunOutcome } from '../../storage/accounts/cost-run-store.ts'
import type { CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import {
  type OutagePorts,
  openRetries,
  outageAtStartMs,
  type Retry,
  waitBriefly,
} from './outage-retries.ts'
import { leaseTime } from './run-lease.ts'
import { runInProgress, runNotFound } from './stored-runs.ts'

/*
 * Takes the lease of a stored run, also when the database is away for some seconds. A transaction whose response was lost
 * may have been committed: then the run has the lease, and is not as it was before.
 */

export interface TakeLeasePorts extends OutagePorts {
  readonly accounts: Pick<Accounts, 'costRuns' | 'transaction'>
}

/**
 * Returns what `work` does with the run as it was before. When that or the lease fails, the run is as it was, and has no
 * lease, unless the database is away for longer than retries last: then it is interrupted once the lease has expired.
 * Throws a Failure if the run does not exist, or is in progress.
 */
export async function withLease<Result>(
  lease: CostRunLease,
  start: 'start' | 'startGeneration',
  ports: TakeLeasePorts,
  work: (run: CostRunRow, retry: Retry) => Promise<Result>,
): Promise<Result> {
  const retry = openRetries(ports)
  const retryAtStart = openRetries(ports, outageAtStartMs)
  const before: { run?: CostRunRow } = {}
  try {
    const run = await retryAtStart(() => take(lease, start, before, ports))
    return await work(run, retry)
  } catch (error) {
    const { run } = before
    // Otherwise the run would be in progress until the lease expires. In an outage that lasts, nobody waits for it.
    if (run !== undefined) {
      await waitBriefly(retry(() => ports.accounts.costRuns.finish(lease, outcomeBefore(run))))
    }
    throw error
  }
}

/** `before` has what was read by the attempt that took the lease, if its response was lost. */
async function take(
  lease: CostRunLease,
  start: 'start' | 'startGeneration',
  before: { run?: CostRunRow },
  { accounts }: TakeLeasePorts,
): Promise<CostRunRow> {
  const { projectId, runId, executionId } = lease
  return await accounts.transaction(async ({ costRuns, clock }) => {
    const time = await leaseTime(clock)
    // Before it is read, so that what a refusal restores is not of before the end of another execution.
    const isFree = await costRuns.lockFree(projectId, runId, time.now)
    const run = await costRuns.find(projectId, runId)
    if (run === undefined) throw runNotFound()
    if (before.run !== undefined && run.execution_id === executionId) {
      await costRuns.extend(lease, time.until)
      return before.run
    }
    if (!isFree) throw runInProgress()
    before.run = run
    if (!(await costRuns[start](lease, time))) throw runInProgress()
    return run
  })
}

function outcomeBefore(run: CostRunRow): RunOutcome {
  const { status, execution, notices, started_at, finished_at } = run
  // What still had a lease was killed, which cannot be seen any more when it has none.
  const stopped_by = run.execution_id === null ? run.stopped_by : 'service_stopped'
  return { status, execution, notices, stopped_by, started_at, finished_at }
}
