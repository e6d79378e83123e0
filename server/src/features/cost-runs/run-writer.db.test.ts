import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { steppedClock } from '../../../test/clock-at.ts'
import { costResultRow, costRunRow, costScenarioRow } from '../../../test/cost-run-rows.ts'
import { addTenant } from '../../../test/people.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { leaseTime } from './run-lease.ts'
import { openRunWriter } from './run-writer.ts'

/*
 * Bills of an execution whose transactions fail, or are committed without that the process gets to know it.
 */

const kinds = ['agent', 'simulated_user', 'simulated_tools', 'judge'] as const

/** How a transaction ends. */
type Ending = 'committed' | 'unavailable' | 'response lost' | 'failed' | 'failed after its commit'

interface Spend {
  readonly kind: (typeof kinds)[number]
  readonly nanos: number
}

interface Step {
  readonly spends: readonly Spend[]
  readonly hasResult: boolean
  /** Of the transactions that it takes, each with the seconds it lasts; later ones are committed. */
  readonly endings: readonly (readonly [Ending, number])[]
  /** Otherwise the next step begins at once, as conversations end at the same time. */
  readonly isAwaited: boolean
}

const spends = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), nanos: fc.integer({ min: 1, max: 1_000_000 }) }),
  { maxLength: 2 },
)
const ending = fc.constantFrom<Ending>(
  ...(['committed', 'unavailable', 'response lost', 'failed', 'failed after its commit'] as const),
)
const steps = fc.array(
  fc.record<Step>({
    ...{ spends, hasResult: fc.boolean(), isAwaited: fc.boolean() },
    endings: fc.array(fc.tuple(ending, fc.constantFrom(0, 25)), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 6 },
)

describe.each(engines)('on %s', (engine) => {
  let opened: TestAccounts
  let projectId: string
  beforeEach(async () => {
    opened = await openTestAccounts(engine)
    projectId = (await addTenant(opened.accounts)).projectId
  })
  afterEach(() => opened.remove())

  /** An execution whose transactions end as `endings` says, and are committed when that is empty. */
  async function openWriter(endings: (readonly [Ending, number])[]) {
    const { accounts } = opened
    const run = costRunRow(projectId)
    await accounts.costRuns.insert(run)
    const lease = { projectId, runId: run.id, executionId: newId() }
    await accounts.costRuns.start(lease, await leaseTime(accounts.clock))
    const clock = steppedClock(0)
    const transaction: typeof accounts.transaction = async (work) => {
      const [end, seconds] = endings.shift() ?? ['committed', 0]
      clock.pass(seconds * 1000)
      if (end === 'unavailable') throw new Unavailable('away', 1)
      if (end === 'failed') throw new Error('not writable')
      const result = await accounts.transaction(work)
      if (end === 'response lost') throw new Unavailable('response lost', 1)
      if (end === 'failed after its commit') throw new Error('not readable')
      return result
    }
    const bills = { agent: 0, simulated_user: 0, simulated_tools: 0, judge: 0 }
    const { signal: stopping } = new AbortController()
    const ports = { accounts: { ...accounts, transaction }, clock, stopping, retryPauseMs: 0 }
    const writer = openRunWriter(lease, bills, ports)
    const readBills = async () => {
      const row = await accounts.costRuns.findHead(projectId, run.id)
      return {
        ...{ agent: row?.agent_nano_usd, simulated_user: row?.user_nano_usd },
        ...{ simulated_tools: row?.tools_nano_usd, judge: row?.judge_nano_usd },
      }
    }
    return { bills, writer, result: costResultRow(costScenarioRow(run, 0)), readBills }
  }

  test('what was spent is counted once, however transactions end before the last one', async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      const endings: (readonly [Ending, number])[] = []
      const { bills, writer, result, readBills } = await openWriter(endings)
      const stores: Promise<unknown>[] = []
      for (const step of all) {
        for (const { kind, nanos } of step.spends) bills[kind] += nanos
        endings.push(...step.endings)
        stores.push(writer.store(step.hasResult ? result : undefined).catch(() => undefined))
        if (step.isAwaited) await stores.at(-1)
      }
      await Promise.all(stores)
      endings.length = 0
      await writer.finish({ status: 'completed', stopped_by: null, notices: '[]' })
      expect(await readBills()).toEqual(bills)
    })
    await fc.assert(property, { numRuns: engine === 'SQLite' ? 300 : 60 })
  })

  test('a bill that could not be stored is not counted twice with the next one', async () => {
    const { bills, writer, readBills } = await openWriter([
      ['failed', 0],
      ['response lost', 0],
    ])
    bills.agent += 100
    await expect(writer.store(undefined)).rejects.toThrow('not writable')
    bills.agent += 10
    await writer.store(undefined)
    expect(await readBills()).toEqual({ ...bills, agent: 110 })
  })
})
