import { cancelCostRun } from '@assay/contract/cost-runs.ts'
import { executeRun, streamExecution } from '@assay/contract/run-execution.ts'
import { describe, expect, test } from 'vitest'
import { callNanos, executionSuite } from '../../../test/execution-suite.ts'
import type { Step } from '../../../test/scripted-model.ts'
import { signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { systemClock } from '../../platform/clock.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { prepareExecution } from './prepare-execution.ts'

/*
 * Executions that end before they are complete: by their caller, somebody else, their time, or a failure to store.
 */

const suite = executionSuite()
const { scripted, sent, received, service, tenant, editor, owner, addModel, addRun } = suite
const { execute, stream, readEnd, readStatus, openPorts, startExecution } = suite
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const others = tenantPerTest(service)
const stranger = signedInPerTest(service, () => others.members.Owner)

test.each(['execute', 'execute/stream'])(
  'closing the connection of %s stops the run as partial, and its calls; another execution completes it',
  async (path) => {
    scripted.play({ answer: 'Here.' }, 'stall')
    const { runId } = await addRun(3)
    const body = { model_config_ids: [await addModel()], concurrency: 1 }
    const leave = new AbortController()
    const inRun = `${service.api}/projects/${tenant.projectId}/cost-calculator/runs/${runId}`
    const left = fetch(`${inRun}/${path}`, {
      ...{ method: 'POST', body: JSON.stringify(body), signal: leave.signal },
      headers: { ...editor, 'content-type': 'application/json' },
    })
      .then((response) => response.text())
      .catch(() => undefined)
    await received(2)
    for (const { error } of [await execute(runId, body), await stream(runId, body)])
      expect(error).toMatchObject({
        ...{ code: 'CONFLICT', message: expect.stringMatching(/^The run is in progress\./) },
      })
    leave.abort()
    await left
    await scripted.idle()
    await expect.poll(() => readStatus(runId)).toBe('partial')
    const stopped = await service.accounts.costRuns.findHead(tenant.projectId, runId)
    expect(stopped?.stopped_by).toBe('disconnected')
    expect(stopped?.agent_nano_usd).toBeGreaterThan(callNanos)
    const { data } = await execute(runId, body)
    expect([data.status, data.results.length, sent().length]).toEqual(['completed', 3, 4])
  },
)

test.each([executeRun, streamExecution])(
  'somebody else cancels $path, whose results are kept; another execution completes it',
  async (declared) => {
    scripted.play({ answer: 'Here.' }, 'stall')
    const { runId } = await addRun(3)
    const body = { model_config_ids: [await addModel()], concurrency: 1 }
    const params = { projectId: tenant.projectId, runId }
    const running = service.call<typeof executeRun | typeof streamExecution>(
      ...[declared, { params, body }, editor],
    )
    await received(2)
    const cancel = (as: typeof owner) => service.call(cancelCostRun, { params }, as)
    expect((await cancel(viewer)).error.code).toBe('FORBIDDEN')
    expect((await cancel(stranger)).error.code).toBe('PROJECT_NOT_FOUND')
    expect(await service.accounts.costRuns.findHead(tenant.projectId, runId)).toMatchObject({
      ...{ status: 'running', is_canceled: 0 },
    })
    expect(await cancel(owner)).toMatchObject({ status: 200, data: { status: 'running' } })
    expect((await running).status).toBe(declared.success.status)
    expect(await readEnd(runId)).toEqual(['partial', 'canceled'])
    await scripted.idle()
    expect((await cancel(owner)).error).toMatchObject({
      ...{ code: 'CONFLICT', message: 'The run has already finished.' },
    })
    const { data } = await execute(runId, body)
    expect([data.status, data.results.length, sent().length]).toEqual(['completed', 3, 4])
  },
)

test('an execution whose caller leaves before its first event ends its lease, and calls no model', async () => {
  const { runId, events } = await startExecution(
    await openPorts(),
    {},
    { signal: AbortSignal.abort() },
  )
  for await (const { type } of events) {
    expect(type).toBe('started')
    break
  }
  expect(await service.accounts.costRuns.findHead(tenant.projectId, runId)).toMatchObject({
    ...{ status: 'partial', stopped_by: 'disconnected', execution_id: null, running_until: null },
  })
  expect(sent()).toEqual([])
})

test('a result is stored together with its bill', async () => {
  const { accounts } = service
  const addBills = () => Promise.reject(new Error('not writable'))
  const transaction: typeof accounts.transaction = (work) =>
    accounts.transaction((stores) =>
      work({ ...stores, costRuns: { ...stores.costRuns, addBills } }),
    )
  const ports = { ...(await openPorts()), accounts: { ...accounts, transaction } }
  const { runId, events } = await startExecution(ports)
  await expect(Array.fromAsync(events)).rejects.toThrow('not writable')
  const all = { after: undefined, limit: 9 }
  expect(await accounts.costRuns.listResults(tenant.projectId, runId, all)).toEqual([])
  expect(await readEnd(runId)).toEqual(['partial', 'error'])
})

test.each([
  ['succeeds', undefined, 3],
  ['fails', new Error('not writable'), 1],
])(
  'a bill is counted once when the response of its transaction is lost and the next one %s',
  async (_name, next, calls) => {
    const { accounts } = service
    let bills = 0
    const transaction: typeof accounts.transaction = async (work) => {
      let isBill = false
      const result = await accounts.transaction((stores) => {
        const addBills: typeof stores.costRuns.addBills = async (...bill) => {
          isBill = true
          bills += 1
          if (bills === 2 && next !== undefined) throw next
          await stores.costRuns.addBills(...bill)
        }
        return work({ ...stores, costRuns: { ...stores.costRuns, addBills } })
      })
      if (isBill && bills === 1)
        throw new Unavailable('The accounts database cannot be reached.', 1)
      return result
    }
    const ports = { ...(await openPorts()), accounts: { ...accounts, transaction } }
    const { runId, events } = await startExecution({ ...ports, executionMs: 60_000 })
    await Array.fromAsync(events).catch(() => undefined)
    expect(await accounts.costRuns.findHead(tenant.projectId, runId)).toMatchObject({
      ...{
        status: next === undefined ? 'completed' : 'partial',
        agent_nano_usd: calls * callNanos,
      },
    })
  },
)

describe('an execution whose result cannot be stored once', () => {
  async function failOnce(steps: readonly Step[], concurrency: number, changed: object = {}) {
    scripted.play(...steps)
    const accounts = { ...service.accounts, ...changed }
    let failures = 1
    const transaction: typeof accounts.transaction = (work) =>
      accounts.transaction((stores) => {
        const { putResult } = stores.costRuns
        const failing: typeof putResult = (row) =>
          failures-- > 0 ? Promise.reject(new Error('not writable')) : putResult(row)
        return work({ ...stores, costRuns: { ...stores.costRuns, putResult: failing } })
      })
    const ports = { ...(await openPorts()), accounts: { ...accounts, transaction } }
    const started = await startExecution({ ...ports, executionMs: 60_000 }, { concurrency })
    await expect(Array.fromAsync(started.events)).rejects.toThrow('not writable')
    return await accounts.costRuns.findHead(tenant.projectId, started.runId)
  }

  test('has what it cost on the bill', async () => {
    const run = await failOnce([{ answer: 'Here.' }], 1)
    expect(run).toMatchObject({ status: 'partial', agent_nano_usd: callNanos })
  })

  test('nor its end, has what it cost on the bill', async () => {
    const finish = () => Promise.reject(new Error('its end is not writable'))
    const costRuns = { ...service.accounts.costRuns, finish }
    const run = await failOnce([{ answer: 'Here.' }], 1, { costRuns })
    expect(run).toMatchObject({ status: 'running', agent_nano_usd: callNanos })
  })

  test('ends with its other conversations', async () => {
    const run = await failOnce(['stall', { answer: 'Here.' }], 2)
    expect(run).toMatchObject({ status: 'partial', running_until: null })
    await scripted.idle()
    expect(sent()).toHaveLength(2)
  })
})

test('an execution during a short outage of the database loses neither results nor bills, and ends its lease', async () => {
  const { accounts } = service
  const outage = (failures: number) => () => {
    failures -= 1
    if (failures >= 0) throw new Unavailable('The accounts database cannot be reached.', 1)
  }
  const [ofResults, ofEnd] = [outage(2), outage(1)]
  const transaction: typeof accounts.transaction = (work) =>
    accounts.transaction((stores) => {
      const { putResult } = stores.costRuns
      const failing: typeof putResult = async (row) => {
        ofResults()
        await putResult(row)
      }
      return work({ ...stores, costRuns: { ...stores.costRuns, putResult: failing } })
    })
  const finish: typeof accounts.costRuns.finish = async (...end) => {
    ofEnd()
    return await accounts.costRuns.finish(...end)
  }
  const changed = { ...accounts, transaction, costRuns: { ...accounts.costRuns, finish } }
  const ports = { ...(await openPorts()), accounts: changed, executionMs: 60_000 }
  const { runId, events } = await startExecution(ports)
  await Array.fromAsync(events)
  expect(await accounts.costRuns.findHead(tenant.projectId, runId)).toMatchObject({
    ...{ status: 'completed', running_until: null, agent_nano_usd: 3 * callNanos },
  })
  const all = { after: undefined, limit: 9 }
  expect(await accounts.costRuns.listResults(tenant.projectId, runId, all)).toHaveLength(3)
})

test('an execution that has lost its lease stores what it cost, but no result', async () => {
  const { accounts } = service
  const other = newId()
  let takeOver = async (): Promise<unknown> => undefined
  const transaction: typeof accounts.transaction = async (work) => {
    await takeOver()
    return await accounts.transaction(work)
  }
  const ports = { ...(await openPorts()), accounts: { ...accounts, transaction } }
  const { runId, events } = await startExecution(ports)
  takeOver = () =>
    service.query(`update cost_runs set execution_id = '${other}' where id = '${runId}'`)
  const types = (await Array.fromAsync(events)).map(({ type }) => type)
  expect(types).toEqual(['started', 'completed'])
  // No further call is paid for.
  expect(sent()).toHaveLength(1)
  const all = { after: undefined, limit: 9 }
  expect(await accounts.costRuns.listResults(tenant.projectId, runId, all)).toEqual([])
  expect(await accounts.costRuns.findHead(tenant.projectId, runId)).toMatchObject({
    ...{ status: 'running', execution_id: other, agent_nano_usd: callNanos },
  })
})

test('an execution whose lease could not be extended stops, and was not canceled', async () => {
  scripted.play({ answer: 'Here.' }, 'stall')
  let pausedMs = 0
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + pausedMs }
  const ports = { ...(await openPorts()), clock, executionMs: 60_000 }
  const { runId, events } = await startExecution(ports)
  const ended = Array.fromAsync(events)
  await received(2)
  pausedMs = 20_000
  await ended
  expect(await readEnd(runId)).toEqual(['partial', 'error'])
  await scripted.idle()
})

test('the lease of an execution ends by the time of the database, not by that of the process', async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() - 3_600_000) }
  const { runId, body } = await startExecution({ ...(await openPorts()), clock })
  const [before] = await service.query(`select running_until from cost_runs where id = '${runId}'`)
  expect(Date.parse(String(before?.['running_until']))).toBeGreaterThan(Date.now())
  expect((await execute(runId, body)).error.code).toBe('CONFLICT')
})

test('an execution whose earlier results cannot be read leaves the run as it was', async () => {
  const { runId } = await addRun(1)
  const { organizationId, projectId } = tenant
  const listResults = () => Promise.reject(new Error('not readable'))
  const { accounts } = service
  const costRuns = { ...accounts.costRuns, listResults }
  const body = { model_config_ids: [await addModel()], concurrency: 1 }
  const before = await accounts.costRuns.find(projectId, runId)
  const preparing = prepareExecution({ organizationId, projectId, runId }, body, {
    ...(await openPorts()),
    accounts: { ...accounts, costRuns },
  })
  await expect(preparing).rejects.toThrow('not readable')
  expect(await accounts.costRuns.find(projectId, runId)).toEqual(before)
  expect((await execute(runId, body)).data.status).toBe('completed')
})

test('an execution stops as partial when its time is up, and keeps what has finished', async () => {
  scripted.play({ answer: 'Here.' }, 'stall')
  const { runId, events } = await startExecution(await openPorts())
  const types: string[] = []
  for await (const { type } of events) types.push(type)
  expect(types).toEqual(['started', 'result', 'progress', 'completed'])
  expect(await readEnd(runId)).toEqual(['partial', 'time_limit'])
  await scripted.idle()
})
