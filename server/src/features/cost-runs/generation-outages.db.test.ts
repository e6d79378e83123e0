import { agentConfig } from '@assay/contract/agent-config.ts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/accounts-database.ts'
import { addStoredRun } from '../../../test/cost-run-rows.ts'
import { openExecutionPorts } from '../../../test/execution-ports.ts'
import {
  addModelConfig,
  requestsPerTest,
  runningModel,
} from '../../../test/scripted-model-suite.ts'
import { writesAll } from '../../../test/scripted-writer.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'
import { openAgentCounter } from '../../cost-estimate/agent-counter.ts'
import { projectPrices } from '../../models/project-prices.ts'
import { systemClock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { generateScenarios } from './generate-scenarios.ts'
import { findResumable, resumeGeneration } from './resume-generation.ts'
import { findWriter } from './scenario-writer.ts'

/*
 * Generations while the accounts database is away for a moment, or something else has taken their lease.
 */

const model = runningModel()
const { sent } = requestsPerTest(model)
const service = runningService()
const tenant = tenantPerTest(service)
beforeEach(() => model.always(writesAll))

/** A run whose 30 scenarios take three calls. */
async function openGeneration(changed: Partial<Accounts>) {
  const { organizationId, projectId } = tenant
  const as = await service.signedIn(tenant.members.Owner)
  const model_config_id = await addModelConfig(service, model, { orgId: organizationId, as })
  const written = { generator: 'model', model_config_id, scenario_count: 30 } as const
  const { runId } = await addStoredRun(service.accounts, projectId, 0, written)
  const ports = await openExecutionPorts(service)
  const changedPorts = { ...ports, accounts: { ...service.accounts, ...changed } }
  const found = await findResumable(organizationId, projectId, runId, ports)
  const { signal } = new AbortController()
  const resumption = { ...found, requester: [organizationId, 'a'] as const, signal }
  return { runId, events: resumeGeneration(resumption, changedPorts) }
}

type Generation = Awaited<ReturnType<typeof openGeneration>>

async function toEnd(events: Generation['events']) {
  let step = await events.next()
  while (step.done !== true) step = await events.next()
  return step.value
}

async function readEnd({ runId, events }: Generation) {
  const generated = await toEnd(events)
  const { costRuns } = service.accounts
  const stored = await costRuns.listScenarios(tenant.projectId, runId, { from: 0, limit: 99 })
  const run = await costRuns.findHead(tenant.projectId, runId)
  return { generated, stored: stored.map(({ id }) => id), run }
}

const away = () => new Unavailable('The accounts database cannot be reached.', 1)
const complete = { stopped_by: null, execution_id: null, running_until: null }

test('a generation during a short outage of the database loses no scenario, pays for no call twice, and ends its lease', async () => {
  const { accounts } = service
  const outage = (failures: number) => () => {
    failures -= 1
    if (failures >= 0) throw away()
  }
  const [ofBatches, ofEnd] = [outage(2), outage(1)]
  const transaction: typeof accounts.transaction = (work) =>
    accounts.transaction((stores) => {
      const { insertScenarios } = stores.costRuns
      const failing: typeof insertScenarios = async (rows) => {
        ofBatches()
        await insertScenarios(rows)
      }
      return work({ ...stores, costRuns: { ...stores.costRuns, insertScenarios: failing } })
    })
  const finish: typeof accounts.costRuns.finish = async (...end) => {
    ofEnd()
    return await accounts.costRuns.finish(...end)
  }
  const costRuns = { ...accounts.costRuns, finish }
  const { generated, stored, run } = await readEnd(await openGeneration({ transaction, costRuns }))
  expect(generated.scenarios.map(({ id, origin }) => [id, origin])).toEqual(
    stored.map((id) => [id, 'model']),
  )
  expect([stored.length, sent().length, generated.notices]).toEqual([30, 3, []])
  expect(run).toMatchObject(complete)
})

test('a batch whose transaction was committed, but not confirmed, is stored once', async () => {
  const { accounts } = service
  let transactions = 0
  const transaction: typeof accounts.transaction = async (work) => {
    const result = await accounts.transaction(work)
    transactions += 1
    // The first one takes the lease.
    if (transactions === 2) throw away()
    return result
  }
  const { generated, stored, run } = await readEnd(await openGeneration({ transaction }))
  expect(generated.scenarios.map(({ id }) => id)).toEqual(stored)
  expect([stored.length, sent().length]).toEqual([30, 3])
  expect(run).toMatchObject(complete)
})

/** A generation of a new run of three scenarios. */
async function openNewRun(changed: Partial<Accounts>) {
  const { accounts } = service
  const { organizationId, projectId } = tenant
  const userId = tenant.members.Owner.id
  const target = { orgId: organizationId, as: await service.signedIn(tenant.members.Owner) }
  const modelConfigId = await addModelConfig(service, model, target)
  const ports = {
    ...(await openExecutionPorts(service)),
    accounts: { ...accounts, ...changed },
    prices: projectPrices(accounts, systemClock),
    agentCounter: openAgentCounter(silent),
  }
  onTestFinished(() => ports.agentCounter.close())
  const found = await findWriter(organizationId, modelConfigId, ports)
  const { signal } = new AbortController()
  return generateScenarios(
    {
      ...{ organizationId, projectId, userId, requester: [organizationId, 'a'], runId: newId() },
      ...{ agent: agentConfig.parse({ system_prompt: 'Help.' }), scenarioCount: 3, signal },
      ...{ includeMultiTurn: false, modelConfigId, notice: undefined },
      model: 'model' in found ? found.model : undefined,
    },
    ports,
  )
}

const listRuns = () =>
  service.accounts.costRuns.list(tenant.projectId, { limit: 9, before: undefined })

test('a new run of which the model writes nothing is removed, also after a short outage of the database', async () => {
  model.always({ status: 400, message: 'No.' })
  const { costRuns } = service.accounts
  let failures = 2
  const remove: typeof costRuns.remove = async (...run) => {
    if (failures-- > 0) throw away()
    return await costRuns.remove(...run)
  }
  const events = await openNewRun({ costRuns: { ...costRuns, remove } })
  await expect(toEnd(events)).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 502 })
  expect(failures).toBe(-1)
  expect(await listRuns()).toEqual([])
})

describe('when the response to the lease of a generation is lost', () => {
  /** The first transaction is committed; the next ones fail, or not. */
  const lostResponse = (next: 'succeeds' | 'fails') => {
    let count = 0
    const transaction: Accounts['transaction'] = async (work) => {
      count += 1
      if (count > 1 && next === 'fails') throw new Error('not writable')
      const result = await service.accounts.transaction(work)
      if (count === 1) throw away()
      return result
    }
    return { transaction }
  }

  test('a resumed one goes on', async () => {
    const { stored, run } = await readEnd(await openGeneration(lostResponse('succeeds')))
    expect(stored).toHaveLength(30)
    expect(run).toMatchObject(complete)
  })

  test('a resumed one that fails then leaves the run as it was', async () => {
    const generation = await openGeneration(lostResponse('fails'))
    const stopped = `stopped_by = 'canceled'`
    await service.query(`update cost_runs set ${stopped} where id = '${generation.runId}'`)
    const read = () => service.accounts.costRuns.find(tenant.projectId, generation.runId)
    const before = await read()
    await expect(toEnd(generation.events)).rejects.toThrow('not writable')
    expect(await read()).toEqual(before)
  })

  test('one of a new run goes on', async () => {
    const { scenarios } = await toEnd(await openNewRun(lostResponse('succeeds')))
    expect(scenarios).toHaveLength(3)
    expect(await listRuns()).toMatchObject([complete])
  })

  test('one of a new run that fails then leaves no run', async () => {
    await expect(toEnd(await openNewRun(lostResponse('fails')))).rejects.toThrow('not writable')
    expect(await listRuns()).toEqual([])
  })
})

test('notices that an execution adds before a generation has its lease stay', async () => {
  const generation = await openGeneration({})
  await service.query(`update cost_runs set notices = '["B."]' where id = '${generation.runId}'`)
  expect((await readEnd(generation)).run?.notices).toBe('["B."]')
})

test.each(['lost', 'deleted'])(
  'a generation whose lease or run was %s stores no scenario, and leaves the lease of others',
  async (what) => {
    const { accounts } = service
    const executionId = newId()
    let change = ''
    let transactions = 0
    const transaction: typeof accounts.transaction = async (work) => {
      transactions += 1
      // The first one takes the lease.
      if (transactions === 2) await service.query(change)
      return await accounts.transaction(work)
    }
    const generation = await openGeneration({ transaction })
    change =
      what === 'lost'
        ? `update cost_runs set execution_id = '${executionId}' where id = '${generation.runId}'`
        : `delete from cost_runs where id = '${generation.runId}'`
    await expect(readEnd(generation)).rejects.toMatchObject({
      code: what === 'lost' ? 'CONFLICT' : 'NOT_FOUND',
    })
    const { projectId } = tenant
    const { costRuns } = accounts
    expect(await costRuns.countScenarios(projectId, generation.runId)).toBe(0)
    expect((await costRuns.findHead(projectId, generation.runId))?.execution_id).toBe(
      what === 'lost' ? executionId : undefined,
    )
  },
)
