import { newId } from '../../platform/ids.ts'
import type { Bills } from '../../simulation/spending.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type {
  CostRunBill,
  CostRunLease,
  RunOutcome,
} from '../../storage/accounts/cost-run-store.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'
import { type OutagePorts, openRetries } from './outage-retries.ts'

/*
 * Stores what an execution brings, also when the database is away for some seconds. A transaction whose response was lost
 * may have been committed, so bills have ids. The run has the id of its last bill only: a bill is sent again until it is
 * known that it is counted, and no other one before that.
 */

export interface RunWriterPorts extends OutagePorts {
  readonly accounts: Pick<Accounts, 'costRuns' | 'transaction' | 'clock'>
}

export interface RunWriter {
  /**
   * Stores a result together with what was spent since the last time, so that nothing is paid that is not on a bill. False
   * when the lease was lost: only the bill is stored then.
   */
  store(result: CostResultRow | undefined): Promise<boolean>
  /** Ends the lease, after the last bill or without it. */
  finish(outcome: Omit<RunOutcome, 'finished_at'>): Promise<void>
}

export function openRunWriter(
  lease: CostRunLease,
  bills: Bills,
  { accounts, ...ports }: RunWriterPorts,
): RunWriter {
  const { projectId, runId } = lease
  const retry = openRetries(ports)
  let billed: Bills = { agent: 0, simulated_user: 0, simulated_tools: 0, judge: 0 }
  /** Not known to be counted. */
  let waiting: CostRunBill | undefined
  let before: Promise<unknown> = Promise.resolve()

  const write = async (result: CostResultRow | undefined): Promise<boolean> => {
    const isHeld = await retry(() =>
      accounts.transaction(async ({ costRuns }) => {
        const holds = result === undefined || (await costRuns.lock(lease))
        if (result !== undefined && holds) await costRuns.putResult(result)
        if (waiting !== undefined) await costRuns.addBills(projectId, runId, waiting)
        return holds
      }),
    )
    waiting = undefined
    return isHeld
  }

  const storeNext = async (result: CostResultRow | undefined): Promise<boolean> => {
    if (waiting !== undefined) await write(undefined)
    const spent = subtract(bills, billed)
    billed = { ...bills }
    if (Object.values(spent).some((nanos) => nanos !== 0)) waiting = toBill(spent)
    return await write(result)
  }

  const store = (result: CostResultRow | undefined): Promise<boolean> => {
    const storing = before.then(() => storeNext(result))
    before = storing.catch(() => undefined)
    return storing
  }

  return {
    store,
    async finish(outcome) {
      try {
        // What a conversation has cost whose result could not be stored.
        await store(undefined)
      } finally {
        await retry(async () => {
          const finished_at = await accounts.clock.now()
          await accounts.costRuns.finish(lease, { ...outcome, finished_at })
        })
      }
    },
  }
}

function toBill(spent: Bills): CostRunBill {
  return {
    billId: newId(),
    ...{ agent_nano_usd: spent.agent, user_nano_usd: spent.simulated_user },
    ...{ tools_nano_usd: spent.simulated_tools, judge_nano_usd: spent.judge },
  }
}

function subtract(from: Bills, some: Bills): Bills {
  return {
    agent: from.agent - some.agent,
    simulated_user: from.simulated_user - some.simulated_user,
    simulated_tools: from.simulated_tools - some.simulated_tools,
    judge: from.judge - some.judge,
  }
}
