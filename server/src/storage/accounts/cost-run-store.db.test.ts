import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { costResultRow, costRunRow, costScenarioRow } from '../../../test/cost-run-rows.ts'
import { addTenant } from '../../../test/people.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import type { CostRunLease } from './cost-run-store.ts'
import type { CostResultRow, CostRunRow, CostScenarioRow } from './cost-run-tables.ts'

let opened: TestAccounts

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

async function addRun(more: Partial<CostRunRow> = {}): Promise<CostRunRow> {
  const { projectId } = await addTenant(opened.accounts)
  const row = costRunRow(projectId, { created_at: at(0), ...more })
  await opened.accounts.costRuns.insert(row)
  return row
}

const leaseOf = ({ project_id: projectId, id: runId }: CostRunRow): CostRunLease => ({
  ...{ projectId, runId, executionId: newId() },
})

const start = (lease: CostRunLease, now = 0, until = 60) =>
  opened.accounts.costRuns.start(lease, { now: at(now), until: at(until) })

describe.each(engines)('runs of the cost calculator on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())

  test('are found, listed, measured and removed only within their project', async () => {
    const { costRuns } = opened.accounts
    const [own, other] = [await addRun(), await addRun()]
    const { project_id: projectId } = own
    const second = await addRun({ ...own, id: newOrderedId(), scenario_count: 1000 })
    const { agent_config: _agent, estimate: _estimate, last_bill_id: _bill, ...head } = own

    expect(await costRuns.find(projectId, own.id)).toEqual(own)
    expect(await costRuns.findHead(projectId, own.id)).toEqual(head)
    expect(await costRuns.find(projectId, other.id)).toBeUndefined()
    expect(await costRuns.remove(projectId, other.id, at(0))).toBe(false)
    expect(await costRuns.find(other.project_id, other.id)).toEqual(other)
    const ids = async (limit: number, before?: string) =>
      (await costRuns.list(projectId, { limit, before })).map(({ id }) => id)
    expect([await ids(9), await ids(1), await ids(9, second.id)]).toEqual([
      ...[[second.id, own.id], [second.id], [own.id]],
    ])
    expect((await costRuns.list(projectId, { limit: 1, before: second.id }))[0]).toEqual(head)
    expect(await costRuns.measure(projectId)).toEqual({ runs: 2, scenarios: 1003 })
    expect(await costRuns.measure(newId())).toEqual({ runs: 0, scenarios: 0 })
    expect(await costRuns.remove(projectId, own.id, at(0))).toBe(true)
    expect(await ids(9)).toEqual([second.id])
  })

  test('are removed with their project, with their scenarios and results', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const scenario = costScenarioRow(run, 0)
    await costRuns.insertScenarios([scenario])
    await costRuns.putResult(costResultRow(scenario))
    await opened.query(`delete from projects where id = '${run.project_id}'`)
    for (const table of ['cost_runs', 'cost_scenarios', 'cost_results']) {
      const rows = await opened.query(
        `select 1 from ${table} where project_id = '${run.project_id}'`,
      )
      expect([table, rows]).toEqual([table, []])
    }
  })

  test('are executed by one lease at a time, and again after it has ended', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const [first, second] = [leaseOf(run), leaseOf(run)]
    expect(await start({ ...first, projectId: newId() })).toBe(false)
    expect(await start(first)).toBe(true)
    expect(await start(second, 60)).toBe(false)
    expect(await costRuns.remove(run.project_id, run.id, at(60))).toBe(false)
    expect(await costRuns.extend(first, at(90))).toBe(true)
    expect(await start(second, 61)).toBe(false)
    expect(await start(second, 91, 120)).toBe(true)

    expect(await costRuns.extend(first, at(200))).toBe(false)
    expect(await costRuns.setExecution(first, '{"n":1}')).toBe(false)
    expect(await costRuns.findHead(run.project_id, run.id)).toMatchObject({ execution: null })
    expect(await costRuns.setExecution(second, '{"n":2}')).toBe(true)
    const outcome = { status: 'completed', notices: '["a"]', finished_at: at(100) } as const
    expect(await costRuns.finish(first, outcome)).toBe(false)
    expect(await costRuns.finish(second, outcome)).toBe(true)
    expect(await costRuns.find(run.project_id, run.id)).toEqual({
      ...{ ...run, ...outcome, execution: '{"n":2}', started_at: at(91) },
    })
    expect(await start(first, 101)).toBe(true)
    expect(await costRuns.findHead(run.project_id, run.id)).toMatchObject({
      ...{ status: 'running', finished_at: null, notices: '["a"]' },
    })
  })

  test('keep their lease while a transaction has locked it, which one that was lost cannot be', async () => {
    const { costRuns, transaction } = opened.accounts
    const run = await addRun()
    const [first, second] = [leaseOf(run), leaseOf(run)]
    const lock = (lease: CostRunLease) => transaction((stores) => stores.costRuns.lock(lease))
    await start(first)
    expect([
      await lock(first),
      await lock(second),
      await lock({ ...first, projectId: newId() }),
    ]).toEqual([true, false, false])
    const order: string[] = []
    let taking: Promise<unknown> = Promise.resolve()
    await transaction(async (stores) => {
      await stores.costRuns.lock(first)
      taking = start(second, 61, 90).then((isTaken) => order.push(`taken: ${isTaken}`))
      // So that it would have time to be first.
      await sleep(200)
      order.push('stored')
    })
    await taking
    expect(order).toEqual(['stored', 'taken: true'])
    expect([await lock(first), await lock(second)]).toEqual([false, true])
    expect(await costRuns.findHead(run.project_id, run.id)).toMatchObject({
      ...{ execution_id: second.executionId, running_until: at(90) },
    })
  })

  test('are locked while nothing is in progress, and then not taken by a lease', async () => {
    const { transaction } = opened.accounts
    const run = await addRun()
    const { project_id: projectId, id } = run
    const lease = leaseOf(run)
    const lockFree = (now: number, project = projectId) =>
      transaction((stores) => stores.costRuns.lockFree(project, id, at(now)))
    expect([await lockFree(0), await lockFree(0, newId())]).toEqual([true, false])
    expect(await opened.accounts.costRuns.find(projectId, id)).toEqual(run)
    const order: string[] = []
    let taking: Promise<unknown> = Promise.resolve()
    await transaction(async (stores) => {
      await stores.costRuns.lockFree(projectId, id, at(0))
      taking = start(lease).then((isTaken) => order.push(`taken: ${isTaken}`))
      // So that it would have time to be first.
      await sleep(200)
      order.push('locked')
    })
    await taking
    expect(order).toEqual(['locked', 'taken: true'])
    expect([await lockFree(60), await lockFree(61)]).toEqual([false, true])
    expect(await opened.accounts.costRuns.mayContinue(lease)).toBe(true)
  })

  test('are canceled in their project while a lease lasts, which is then not extended', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const { project_id: projectId, id } = run
    const lease = leaseOf(run)
    expect(await costRuns.cancel(projectId, id, at(0))).toBeUndefined()
    await start(lease)
    expect(await costRuns.cancel(newId(), id, at(1))).toBeUndefined()
    expect(await costRuns.cancel(projectId, id, at(61))).toBeUndefined()
    expect(await costRuns.mayContinue(lease)).toBe(true)
    for (const second of [59, 60])
      expect(await costRuns.cancel(projectId, id, at(second))).toMatchObject({ status: 'running' })
    expect([await costRuns.mayContinue(lease), await costRuns.extend(lease, at(90))]).toEqual([
      ...[false, false],
    ])
    const other = leaseOf(run)
    expect(await start(other, 61, 90)).toBe(true)
    expect([await costRuns.mayContinue(lease), await costRuns.mayContinue(other)]).toEqual([
      ...[false, true],
    ])
    await costRuns.cancel(projectId, id, at(62))
    await costRuns.finish(other, {})
    expect(await costRuns.findHead(projectId, id)).toMatchObject({ is_canceled: 0 })
  })

  test('are filled with scenarios by one lease at a time, and keep their status', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const [first, second] = [leaseOf(run), leaseOf(run)]
    const generate = (lease: CostRunLease, now: number) =>
      costRuns.startGeneration(lease, { now: at(now), until: at(now + 30) })
    expect(await generate({ ...first, projectId: newId() }, 0)).toBe(false)
    expect(await generate(first, 0)).toBe(true)
    expect([await generate(second, 30), await start(second, 30)]).toEqual([false, false])
    expect(await costRuns.finish(first, {})).toBe(true)
    expect(await costRuns.find(run.project_id, run.id)).toEqual(run)
    await start(second, 0, 30)
    expect(await generate(first, 31)).toBe(true)
    const killed = { status: 'partial', stopped_by: 'service_stopped' }
    expect(await costRuns.findHead(run.project_id, run.id)).toMatchObject(killed)
    await costRuns.finish(first, { stopped_by: 'cost_limit' })
    await generate(second, 32)
    expect(await costRuns.findHead(run.project_id, run.id)).toMatchObject({
      ...{ status: 'partial', stopped_by: 'cost_limit' },
    })
    const scenarios = [costScenarioRow(run, 0), costScenarioRow(run, 4)]
    await costRuns.insertScenarios(scenarios)
    expect(await costRuns.countScenarios(run.project_id, run.id)).toBe(2)
    expect(await costRuns.countScenarios(newId(), run.id)).toBe(0)
  })

  test('add up what concurrent calls cost, exactly', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const spent = { agent_nano_usd: 100_000_001, user_nano_usd: 2 }
    const bills = { ...spent, tools_nano_usd: 0, judge_nano_usd: 3_000_000_000_000 }
    const add = () => costRuns.addBills(run.project_id, run.id, { ...bills, billId: newId() })
    await Promise.all(Array.from({ length: 10 }, add))
    expect(await costRuns.find(run.project_id, run.id)).toMatchObject({
      ...{ agent_nano_usd: 1_000_000_010, user_nano_usd: 20, tools_nano_usd: 0 },
      judge_nano_usd: 30_000_000_000_000,
    })
  })

  test('count a bill that is sent again once', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const spent = { agent_nano_usd: 5, user_nano_usd: 4, tools_nano_usd: 3, judge_nano_usd: 2 }
    const bill = { ...spent, billId: newId() }
    for (const one of [bill, bill, { ...bill, billId: newId() }]) {
      await costRuns.addBills(run.project_id, run.id, one)
    }
    expect(await costRuns.find(run.project_id, run.id)).toMatchObject({
      ...{ agent_nano_usd: 10, user_nano_usd: 8, tools_nano_usd: 6, judge_nano_usd: 4 },
    })
  })

  test('keep the first scenario of a position, in order', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const scenarios = [2, 0, 1].map((position) => costScenarioRow(run, position))
    await costRuns.insertScenarios(scenarios)
    await costRuns.insertScenarios([costScenarioRow(run, 1, '{"n":2}'), costScenarioRow(run, 3)])
    await costRuns.insertScenarios([])
    const list = (from: number, limit: number, projectId = run.project_id) =>
      costRuns.listScenarios(projectId, run.id, { from, limit })
    expect((await list(0, 9)).map(({ position }) => position)).toEqual([0, 1, 2, 3])
    expect((await list(0, 3)).map(({ id }) => id)).toEqual(
      [1, 2, 0].map((index) => scenarios[index]?.id),
    )
    expect((await list(2, 9)).map(({ position }) => position)).toEqual([2, 3])
    expect(await list(0, 9, newId())).toEqual([])
  })

  test('replace a scenario in place and remove its results, unless the run is running', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const [one, other] = [costScenarioRow(run, 0), costScenarioRow(run, 1)]
    await costRuns.insertScenarios([one, other])
    const kept = costResultRow(other)
    await costRuns.putResult(costResultRow(one))
    await costRuns.putResult(kept)
    const replace = (row: CostScenarioRow, now: number) =>
      opened.accounts.transaction((stores) => stores.costRuns.replaceScenario(row, at(now)))
    const results = () =>
      costRuns.listResults(run.project_id, run.id, { after: undefined, limit: 9 })
    const changed = { ...one, content: '{"n":2}' }
    const lease = leaseOf(run)
    await start(lease)

    expect(await replace(changed, 1)).toBe(false)
    expect(await replace({ ...changed, project_id: newId() }, 61)).toBe(false)
    expect(await costRuns.findScenario(run.project_id, run.id, one.id)).toEqual(one)
    expect(await results()).toHaveLength(2)

    expect(await replace(changed, 61)).toBe(true)
    expect(await costRuns.findScenario(run.project_id, run.id, one.id)).toEqual(changed)
    expect(await results()).toEqual([kept])
    expect(await replace({ ...changed, id: newId() }, 61)).toBe(false)
  })

  test('replace no scenario while a lease is being taken, and are not taken while one is replaced', async () => {
    const { costRuns, transaction } = opened.accounts
    const run = await addRun()
    const one = costScenarioRow(run, 0)
    await costRuns.insertScenarios([one])
    const lease = leaseOf(run)
    const order: string[] = []
    const replace = (content: string) =>
      transaction((stores) => stores.costRuns.replaceScenario({ ...one, content }, at(0)))
    let second: Promise<unknown> = Promise.resolve()
    await transaction(async (stores) => {
      await stores.costRuns.replaceScenario({ ...one, content: '{"n":2}' }, at(0))
      second = start(lease).then((isTaken) => order.push(`taken: ${isTaken}`))
      // So that it would have time to be first.
      await sleep(200)
      order.push('replaced')
    })
    await second
    await costRuns.finish(lease, {})
    await transaction(async (stores) => {
      await stores.costRuns.start(lease, { now: at(0), until: at(60) })
      second = replace('{"n":3}').then((isReplaced) => order.push(`replaced: ${isReplaced}`))
      await sleep(200)
      order.push('taken')
    })
    await second
    expect(order).toEqual(['replaced', 'taken: true', 'taken', 'replaced: false'])
    expect(await costRuns.findScenario(run.project_id, run.id, one.id)).toMatchObject({
      content: '{"n":2}',
    })
  })

  test('keep the last result of a scenario with a model, and list results in pages', async () => {
    const { costRuns } = opened.accounts
    const run = await addRun()
    const scenarios = [costScenarioRow(run, 0), costScenarioRow(run, 1)]
    await costRuns.insertScenarios(scenarios)
    const results = scenarios.flatMap((scenario) => [
      costResultRow(scenario),
      costResultRow(scenario),
    ])
    for (const result of results) await costRuns.putResult(result)
    const [first] = results
    if (first === undefined) throw new Error('no result')
    const failed: CostResultRow = {
      ...{ ...first, trace_id: null, status: 'failed', cost_nano_usd: null, score: null },
      error: 'The model did not answer in time.',
    }
    await costRuns.putResult(failed)

    const listed: CostResultRow[] = []
    for (let page: CostResultRow[]; ; listed.push(...page)) {
      page = await costRuns.listResults(run.project_id, run.id, { after: listed.at(-1), limit: 3 })
      if (page.length === 0) break
    }
    const byKey = (a: CostResultRow, b: CostResultRow) =>
      `${a.scenario_id} ${a.model_config_id}` < `${b.scenario_id} ${b.model_config_id}` ? -1 : 1
    expect(listed).toEqual([failed, ...results.slice(1)].sort(byKey))
    expect(await costRuns.listResults(newId(), run.id, { after: undefined, limit: 9 })).toEqual([])
  })
})
