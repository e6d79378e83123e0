import { updateScenario } from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ExecutionRequest } from '@assay/contract/run-execution.ts'
import { describe, expect, test } from 'vitest'
import { steppedClock } from '../../../test/clock-at.ts'
import { costResultRow, costScenarioRow } from '../../../test/cost-run-rows.ts'
import { executionSuite } from '../../../test/execution-suite.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { CostRunRow } from '../../storage/accounts/cost-run-tables.ts'
import { prepareExecution } from './prepare-execution.ts'
import { leaseTime } from './run-lease.ts'

/*
 * What comes between the request of an execution and its lease, and executions that end before they have started.
 */

const suite = executionSuite()
const { service, tenant, editor, addModel, addRun, openPorts } = suite

const scoring = { callsModel: false, score: () => Promise.resolve(1) }
const all = { after: undefined, limit: 9 }

async function prepare(
  runId: string,
  changed: Partial<Accounts>,
  more: Partial<ExecutionRequest> = {},
  clock: Clock = systemClock,
) {
  const { organizationId, projectId } = tenant
  const body = { model_config_ids: [await addModel()], concurrency: 1, ...more }
  const ports = {
    ...{ ...(await openPorts()), clock, accounts: { ...service.accounts, ...changed } },
    openScoring: async () => scoring,
  }
  return await prepareExecution({ organizationId, projectId, runId }, body, ports)
}

/** Does it once, before the first transaction: the one that takes the lease. */
function beforeLease(change: () => Promise<unknown>): Pick<Accounts, 'transaction'> {
  const { accounts } = service
  let isDone = false
  return {
    async transaction(work) {
      if (!isDone) await change()
      isDone = true
      return await accounts.transaction(work)
    },
  }
}

const readRun = (runId: string) => service.accounts.costRuns.find(tenant.projectId, runId)

const readScores = async (runId: string) =>
  (await service.accounts.costRuns.listResults(tenant.projectId, runId, all)).map(
    ({ score }) => score,
  )

/** A run with one scenario that each of the models has a result of, with a score of 0.5. */
async function addScoredRun(model_config_ids: readonly string[] = [newId()]) {
  const { runId, scenarioIds } = await addRun(1)
  const scenario = { project_id: tenant.projectId, run_id: runId, id: scenarioIds[0] ?? '' }
  for (const model_config_id of model_config_ids)
    await service.accounts.costRuns.putResult(costResultRow(scenario, { model_config_id }))
  return runId
}

describe('before an execution has its lease', () => {
  test('an edited scenario is executed as it is then', async () => {
    const { runId, scenarioIds } = await addRun(2)
    const params = { projectId: tenant.projectId, runId, scenarioId: scenarioIds[1] ?? '' }
    const edit = () => service.call(updateScenario, { params, body: { name: 'Edited' } }, editor)
    const { items } = await prepare(runId, beforeLease(edit))
    expect(items.map(({ scenario }) => scenario.name)).toEqual(['Scenario 0', 'Edited'])
    expect((await edit()).error.code).toBe('CONFLICT')
  })

  test('scenarios that a generation adds are executed', async () => {
    const { runId } = await addRun(2)
    const row = { id: runId, project_id: tenant.projectId }
    const added = costScenarioRow(row, 2)
    const { items } = await prepare(
      runId,
      beforeLease(() => service.accounts.costRuns.insertScenarios([added])),
    )
    expect(items.map(({ scenario }) => scenario.id)).toContain(added.id)
    expect(items).toHaveLength(3)
  })

  /** Of another execution. */
  async function end(runId: string) {
    const { costRuns, clock } = service.accounts
    const lease = { projectId: tenant.projectId, runId, executionId: newId() }
    await costRuns.start(lease, await leaseTime(clock))
    const outcome = { status: 'partial', stopped_by: 'canceled', notices: '["B."]' } as const
    await costRuns.finish(lease, outcome)
  }

  test('the end of another stays when it is refused', async () => {
    const { runId } = await addRun(0)
    let ended: CostRunRow | undefined
    const ending = beforeLease(async () => {
      await end(runId)
      ended = await readRun(runId)
    })
    await expect(prepare(runId, ending)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(ended).toMatchObject({ stopped_by: 'canceled', notices: '["B."]' })
    expect(await readRun(runId)).toEqual(ended)
  })

  test('notices of the end of another are added to', async () => {
    const { runId } = await addRun(1)
    const { run } = await prepare(
      runId,
      beforeLease(() => end(runId)),
    )
    expect(run.notices).toBe('["B."]')
  })
})

test('an execution of a run that is deleted before it has its lease is refused as one of a missing run', async () => {
  const { runId } = await addRun(1)
  const { costRuns, clock } = service.accounts
  const deleting = beforeLease(async () =>
    costRuns.remove(tenant.projectId, runId, await clock.now()),
  )
  await expect(prepare(runId, deleting)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('when the response to the lease of a completed run is lost', () => {
  /** The transaction of the lease is committed; the next ones end as `next` does. */
  function lostResponse(next: () => Promise<unknown> = () => Promise.resolve()) {
    let count = 0
    const transaction: Accounts['transaction'] = async (work) => {
      count += 1
      if (count > 1) await next()
      const result = await service.accounts.transaction(work)
      if (count === 1) throw new Unavailable('response lost', 1)
      return result
    }
    return { transaction }
  }

  const ended = {
    status: 'completed',
    notices: '["A."]',
    started_at: '2026-01-01T00:00:00.000Z',
  } as const

  test('the execution starts', async () => {
    const { runId } = await addRun(2, ended)
    const { run, items, lease } = await prepare(runId, lostResponse())
    expect(run).toMatchObject(ended)
    expect(items).toHaveLength(2)
    expect(await readRun(runId)).toMatchObject({
      ...{ status: 'running', execution_id: lease.executionId },
    })
  })

  test('the lease lasts as long as one that was taken at the last attempt', async () => {
    const { runId } = await addRun(2, ended)
    let until: string | null | undefined
    const shorten = async () => {
      if (until !== undefined) return
      until = new Date(Date.now() + 5000).toISOString()
      await service.query(`update cost_runs set running_until = '${until}' where id = '${runId}'`)
    }
    await prepare(runId, lostResponse(shorten))
    expect((await readRun(runId))?.running_until).toSatisfy((time) => time > (until ?? ''))
  })

  test('an execution that fails then leaves the run as it was', async () => {
    const { runId } = await addRun(2, ended)
    const before = await readRun(runId)
    const fail = () => Promise.reject(new Error('not writable'))
    await expect(prepare(runId, lostResponse(fail))).rejects.toThrow('not writable')
    expect(await readRun(runId)).toEqual(before)
  })

  test('an execution that is refused then leaves the run as it was', async () => {
    const { runId } = await addRun(0, ended)
    const before = await readRun(runId)
    await expect(prepare(runId, lostResponse())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readRun(runId)).toEqual(before)
  })

  test('an outage that lasts ends the execution, and leaves the run as it was', async () => {
    const { runId } = await addRun(2, ended)
    const before = await readRun(runId)
    const clock = steppedClock(Date.now())
    const away = () => {
      clock.pass(25_000)
      return Promise.reject(new Unavailable('away', 1))
    }
    await expect(prepare(runId, lostResponse(away), {}, clock)).rejects.toThrow('away')
    expect(await readRun(runId)).toEqual(before)
  })
})

describe('an execution with another collection', () => {
  const collection_id = newId()

  test('that has lost its lease removes no scores', async () => {
    const runId = await addScoredRun()
    const executionId = newId()
    const { costRuns } = service.accounts
    const listResults: typeof costRuns.listResults = async (...page) => {
      const taken = `execution_id = '${executionId}'`
      await service.query(`update cost_runs set ${taken} where id = '${runId}'`)
      return await costRuns.listResults(...page)
    }
    const preparing = prepare(runId, { costRuns: { ...costRuns, listResults } }, { collection_id })
    await expect(preparing).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readScores(runId)).toEqual([0.5])
    expect(await readRun(runId)).toMatchObject({ execution_id: executionId, execution: null })
  })

  test('that was killed before it removed the scores leaves that to the next one', async () => {
    const model_config_ids = [await addModel()]
    const runId = await addScoredRun(model_config_ids)
    const more = { collection_id, model_config_ids }
    const { costRuns } = service.accounts
    const killed = () => Promise.reject(new Error('killed'))
    const changed = { costRuns: { ...costRuns, listResults: killed, finish: killed } }
    await expect(prepare(runId, changed, more)).rejects.toThrow('killed')
    expect(await readScores(runId)).toEqual([0.5])
    await service.query(
      `update cost_runs set running_until = '2026-01-01T00:00:00.000Z' where id = '${runId}'`,
    )
    const { items } = await prepare(runId, {}, more)
    expect(items.map(({ earlier }) => earlier?.score)).toEqual([null])
    expect(await readScores(runId)).toEqual([null])
  })

  test('removes the scores during a short outage, and has none of them', async () => {
    const runId = await addScoredRun()
    const { accounts } = service
    let failures = 1
    const transaction: typeof accounts.transaction = (work) =>
      accounts.transaction((stores) => {
        const { removeScores } = stores.costRuns
        const failing: typeof removeScores = (...of) =>
          failures-- > 0 ? Promise.reject(new Unavailable('away', 1)) : removeScores(...of)
        return work({ ...stores, costRuns: { ...stores.costRuns, removeScores: failing } })
      })
    await prepare(runId, { transaction }, { collection_id })
    expect(await readScores(runId)).toEqual([null])
    expect(JSON.parse((await readRun(runId))?.execution ?? '')).toMatchObject({ collection_id })
  })
})

describe('an execution that is refused', () => {
  test('ends its lease although the database is away for a moment', async () => {
    const runId = await addScoredRun(Array.from({ length: limits.modelsPerRun.value }, newId))
    const before = await readRun(runId)
    const { costRuns } = service.accounts
    let failures = 1
    const finish: typeof costRuns.finish = (...end) =>
      failures-- > 0 ? Promise.reject(new Unavailable('away', 1)) : costRuns.finish(...end)
    const preparing = prepare(runId, { costRuns: { ...costRuns, finish } })
    await expect(preparing).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readRun(runId)).toEqual(before)
  })

  test('leaves what was killed before it stopped by the service', async () => {
    const held = { execution_id: newId(), running_until: '2026-01-01T00:00:00.000Z' }
    const { runId } = await addRun(1, held)
    const refused = prepare(runId, {}, { scenario_ids: [newId()] })
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readRun(runId)).toMatchObject({
      ...{ status: 'draft', stopped_by: 'service_stopped', execution_id: null },
    })
  })
})
