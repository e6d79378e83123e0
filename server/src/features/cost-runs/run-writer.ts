import type { Bills } from '../../simulation/spending.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunLease, RunOutcome } from '../../storage/accounts/cost-run-store.ts'
import type { CostResultRow } from '../../storage/accounts/cost-run-tables.ts'
import { type OutagePorts, openRetries } from './outage-retries.ts'

/*
 * Stores what an execution brings, also when the database is away for some seconds. Then a bill can be counted twice: if
 * a commit succeeds whose response is lost.
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
  let stored: Bills = { agent: 0, simulated_user: 0, simulated_tools: 0, judge: 0 }

  const write = (result: CostResultRow | undefined, spent: Bills): Promise<boolean> =>
    accounts.transaction(async ({ costRuns }) => {
      const isHeld = result === undefined || (await costRuns.lock(lease))
      if (result !== undefined && isHeld) await costRuns.putResult(result)
      if (Object.values(spent).every((nanos) => nanos === 0)) return isHeld
      await costRuns.addBills(projectId, runId, {
        ...{ agent_nano_usd: spent.agent, user_nano_usd: spent.simulated_user },
        ...{ tools_nano_usd: spent.simulated_tools, judge_nano_usd: spent.judge },
      })
      return isHeld
    })

  const store = async (result: CostResultRow | undefined): Promise<boolean> => {
    const spent = subtract(bills, stored)
    stored = { ...bills }
    try {
      return await retry(() => write(result, spent))
    } catch (error) {
      stored = subtract(stored, spent)
      throw error
    }
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

function subtract(from: Bills, some: Bills): Bills {
  return {
    agent: from.agent - some.agent,
    simulated_user: from.simulated_user - some.simulated_user,
    simulated_tools: from.simulated_tools - some.simulated_tools,
    judge: from.judge - some.judge,
  }
}
