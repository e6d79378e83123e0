import {
  cancelCostRun,
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import { resumeGeneration, streamResumption } from '@assay/contract/generation-resumption.ts'
import { limits } from '@assay/contract/limits.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { addStoredRun, costResultRow } from '../../../test/cost-run-rows.ts'
import { openExecutionPorts } from '../../../test/execution-ports.ts'
import {
  addModelConfig,
  requestsPerTest,
  runningModel,
} from '../../../test/scripted-model-suite.ts'
import { writesAll } from '../../../test/scripted-writer.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newId } from '../../platform/ids.ts'
import { findResumable, resumeGeneration as resumeFound } from './resume-generation.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const other = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const stranger = signedInPerTest(service, () => other.members.Owner)

const inProject = () => ({ projectId: tenant.projectId })
const agent_config = { system_prompt: 'You help customers of a shop.' }

async function createRun(prompt = agent_config.system_prompt) {
  const body = { agent_config: { system_prompt: prompt } }
  const { data } = await service.call(generateScenarios, { params: inProject(), body }, editor)
  if (!('run_id' in data)) throw new Error('not a run')
  const scenarioIds = data.scenarios.map(({ id }) => id)
  return { runId: data.run_id, scenarioIds, first: scenarioIds[0] ?? '' }
}

const read = async (runId: string) =>
  (await service.call(readCostRun, { params: { ...inProject(), runId } }, viewer)).data
const list = (query: object = {}) =>
  service.call(listCostRuns, { params: inProject(), query }, viewer)
const update = (runId: string, scenarioId: string, body: object, as = editor) =>
  service.call(updateScenario, { params: { ...inProject(), runId, scenarioId }, body }, as)
const remove = (runId: string, as = editor) =>
  service.call(removeCostRun, { params: { ...inProject(), runId } }, as)

const execution = {
  model_config_ids: [newId()],
  collection_id: null,
  max_cost_usd: 2,
  concurrency: 4,
}

/** As an execution of the run does. */
async function start(runId: string, until: Date) {
  const lease = { projectId: tenant.projectId, runId, executionId: newId() }
  const started = { now: new Date().toISOString(), until: until.toISOString() }
  await service.accounts.costRuns.start(lease, started)
  await service.accounts.costRuns.setExecution(lease, JSON.stringify(execution))
  return lease
}

const inAMinute = () => new Date(Date.now() + 60_000)

function putResult(runId: string, scenario_id: string, more: object = {}) {
  const scenario = { project_id: tenant.projectId, run_id: runId, id: scenario_id }
  const [model_config_id = ''] = execution.model_config_ids
  return service.accounts.costRuns.putResult(
    costResultRow(scenario, { model_config_id, latency_ms: 500, ...more }),
  )
}

describe('a run', () => {
  test('is read with its results, and summaries that are sums of them', async () => {
    const { runId, scenarioIds } = await createRun()
    const lease = await start(runId, inAMinute())
    const [model = ''] = execution.model_config_ids
    const second = newId()
    const results = [
      { latency_ms: 100, score: 1 },
      { latency_ms: 300, score: 0.5, cost_nano_usd: 200_000_000 },
      { latency_ms: 900, status: 'failed', score: null, error: 'No answer.', trace_id: null },
    ]
    for (const [at, result] of results.entries()) {
      await putResult(runId, scenarioIds[at] ?? '', result)
    }
    await putResult(runId, scenarioIds[0] ?? '', { model_config_id: second, cost_nano_usd: null })
    const spent = { agent_nano_usd: 500_000_000, user_nano_usd: 1, tools_nano_usd: 2 }
    await service.accounts.costRuns.addBills(tenant.projectId, runId, {
      ...{ ...spent, billId: newId() },
      judge_nano_usd: 3,
    })
    expect(await read(runId)).toMatchObject({ status: 'running', execution, max_cost_usd: 2 })

    const outcome = { status: 'partial', notices: '["The tool is simulated."]' } as const
    const finished_at = new Date().toISOString()
    await service.accounts.costRuns.finish(lease, { ...outcome, finished_at })
    const run = await read(runId)
    expect(run).toMatchObject({
      ...{ status: 'partial', notices: ['The tool is simulated.'], finished_at },
      cost_usd: { agent: 0.5, simulated_user: 1e-9, simulated_tools: 2e-9, judge: 3e-9 },
    })
    expect(run.results).toHaveLength(4)
    expect(run.results.find(({ status }) => status === 'failed')).toEqual({
      ...{ scenario_id: scenarioIds[2], model_config_id: model, trace_id: null, status: 'failed' },
      ...{ turns: 2, tokens_in: 100, tokens_out: 10, cost_usd: 0.1, latency_ms: 900 },
      ...{ score: null, error: 'No answer.' },
    })
    const [first, unpriced] = run.summaries
    expect(first).toMatchObject({
      // Not 0.4000000000000001, as the sum of the dollars is.
      ...{ model_config_id: model, cost_usd: 0.4, latency_ms_p50: 100, latency_ms_p90: 300 },
      mean_score: 0.75,
    })
    expect(first?.score_low).toBeLessThan(0.75)
    expect(first?.score_high).toBeGreaterThan(0.75)
    expect(unpriced).toEqual({
      ...{ model_config_id: second, cost_usd: null, latency_ms_p50: 500, latency_ms_p90: 500 },
      ...{ mean_score: 0.5, score_low: null, score_high: null },
    })
  })

  test('whose process was killed is partial once its lease has ended', async () => {
    const { runId } = await createRun()
    await start(runId, new Date(Date.now() - 1))
    const killed = { status: 'partial', stopped_by: 'service_stopped' }
    expect(await read(runId)).toMatchObject(killed)
    expect((await list()).data[0]).toMatchObject(killed)
  })

  test('with 1,000 scenarios of 8 models is read whole', async () => {
    const body = { agent_config, scenario_count: limits.scenariosPerRun.value }
    const { data } = await service.call(generateScenarios, { params: inProject(), body }, editor)
    if (!('run_id' in data)) throw new Error('not a run')
    const models = Array.from({ length: limits.modelsPerRun.value }, () => newId())
    await service.accounts.transaction(async ({ costRuns }) => {
      for (const { id } of data.scenarios) {
        for (const model_config_id of models) {
          await costRuns.putResult({
            ...{ project_id: tenant.projectId, run_id: data.run_id, scenario_id: id },
            ...{ model_config_id, trace_id: 'a', status: 'completed', turns: 1, tokens_in: 1 },
            ...{ tokens_out: 1, cost_nano_usd: 1, latency_ms: 1, score: null, error: null },
            finished_at: '2026-01-01T00:00:00.000Z',
          })
        }
      }
    })
    const run = await read(data.run_id)
    expect([run.scenarios.length, run.results.length, run.summaries.length]).toEqual([
      ...[1000, 8000, 8],
    ])
  })
})

describe('a generation', () => {
  const model = runningModel()
  const { received } = requestsPerTest(model)
  const addModel = async () => {
    const as = await service.signedIn(tenant.members.Owner)
    return await addModelConfig(service, model, { orgId: tenant.organizationId, as })
  }
  const generate = (more: object) =>
    service.call(
      ...[generateScenarios, { params: inProject(), body: { agent_config, ...more } }, editor],
    )
  const resume = (runId: string, as = editor, projectId = tenant.projectId) =>
    service.call(resumeGeneration, { params: { projectId, runId } }, as)
  const resumeAsStream = (runId: string) =>
    service.call(streamResumption, { params: { ...inProject(), runId } }, editor)
  const cancel = (runId: string, as = editor) =>
    service.call(cancelCostRun, { params: { ...inProject(), runId } }, as)

  test('that was killed is resumed once its lease has expired, and equals one that was not', async () => {
    const body = { scenario_count: 45, include_multi_turn: true }
    const { data } = await generate(body)
    if (!('run_id' in data)) throw new Error('not a run')
    const { run_id: runId, scenarios } = data
    const lost = 'position in (3, 7) or position >= 20'
    await service.query(`delete from cost_scenarios where run_id = '${runId}' and (${lost})`)
    const held = { execution_id: newId(), running_until: inAMinute().toISOString() }
    const hold = (until: string) =>
      service.query(
        `update cost_runs set execution_id = '${held.execution_id}', running_until = '${until}' where id = '${runId}'`,
      )
    await hold(held.running_until)
    expect(await read(runId)).toMatchObject({ status: 'draft', is_generating: true })
    for (const refused of [await resume(runId), await resumeAsStream(runId), await remove(runId)])
      expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
    expect((await read(runId)).scenarios).toHaveLength(18)

    await hold(new Date(Date.now() - 1).toISOString())
    const edited = { ...scenarios[0], name: 'Asks twice' }
    await update(runId, scenarios[0]?.id ?? '', { name: edited.name })
    const resumed = await resume(runId)
    const isLost = (_: unknown, at: number) => at === 3 || at === 7 || at >= 20
    expect([resumed.status, resumed.data]).toEqual([
      ...[200, { ...data, notices: [], scenarios: scenarios.filter(isLost) }],
    ])
    const complete = await read(runId)
    expect([complete.scenarios, complete.is_generating]).toEqual([
      ...[[edited, ...scenarios.slice(1)], false],
    ])
    expect((await resume(runId)).data.scenarios).toEqual([])
    expect((await read(runId)).scenarios).toEqual(complete.scenarios)
  })

  test('that somebody else cancels ends with what is written, and can be resumed', async () => {
    model.play(writesAll)
    model.always('stall')
    const running = generate({ model_config_id: await addModel(), scenario_count: 30 })
    await received(3)
    const [run] = (await list()).data
    if (run === undefined) throw new Error('no run')
    await expect.poll(async () => (await read(run.id)).scenarios.length).toBe(10)
    expect((await cancel(run.id, viewer)).error.code).toBe('FORBIDDEN')
    expect(await cancel(run.id)).toMatchObject({ status: 200, data: { is_generating: true } })
    const { status, data } = await running
    if (!('run_id' in data)) throw new Error('not a run')
    expect([status, data.scenarios.length, data.notices]).toEqual([
      ...[201, 10, ['The generation was canceled after 10 of 30 scenarios.']],
    ])
    expect(await read(run.id)).toMatchObject({
      ...{ status: 'draft', is_generating: false, scenario_count: 30, stopped_by: 'canceled' },
    })
    await model.idle()
    expect((await cancel(run.id)).error.code).toBe('CONFLICT')

    // Three calls were sent, and each of those that were abandoned costs at least as much as the answered one.
    expect(data.cost_usd).toBeGreaterThan(3 * 0.0011)
    const traceId = run.id.replaceAll('-', '')
    const trace = await service.call(readTrace, { params: { ...inProject(), traceId } }, viewer)
    expect(trace.data.spans.map(({ status }) => status).toSorted()).toEqual([
      'ERROR',
      'ERROR',
      'OK',
    ])

    model.always({ status: 401, message: 'Wrong key.' })
    const failed = await resume(run.id)
    expect([failed.status, failed.error.message]).toEqual([
      ...[502, expect.stringMatching(/^The model wrote no scenarios: /)],
    ])
    expect((await resumeAsStream(run.id)).data.at(-1)).toMatchObject({ type: 'error' })
    expect(await read(run.id)).toMatchObject({
      ...{ scenarios: data.scenarios, stopped_by: 'model_failed' },
    })

    const orgId = tenant.organizationId
    await service.query(`delete from model_configs where organization_id = '${orgId}'`)
    for (const { status: refused, error } of [await resume(run.id), await resumeAsStream(run.id)])
      expect([refused, error.details]).toEqual([404, { field: 'model_config_id' }])
  })

  test('ends with what is written when the service stops', async () => {
    const { organizationId, projectId } = tenant
    const { runId } = await addStoredRun(service.accounts, projectId, 2, { scenario_count: 5 })
    const ports = { ...(await openExecutionPorts(service)), stopping: AbortSignal.abort() }
    const found = await findResumable(organizationId, projectId, runId, ports)
    const { signal } = new AbortController()
    const events = resumeFound({ ...found, requester: [organizationId, 'a'], signal }, ports)
    let step = await events.next()
    while (step.done !== true) step = await events.next()
    expect(step.value).toMatchObject({
      ...{ scenarios: [], notices: ['The generation stopped after 0 of 3 scenarios.'] },
    })
    expect(await service.accounts.costRuns.findHead(projectId, runId)).toMatchObject({
      ...{ status: 'draft', execution_id: null, running_until: null, notices: '[]' },
      stopped_by: 'service_stopped',
    })
  })

  test('is resumed and canceled by people who may run agents, in the project of the run', async () => {
    const { runId } = await createRun()
    expect((await resume(runId, viewer)).error.code).toBe('FORBIDDEN')
    expect((await resume(runId, stranger)).error.code).toBe('PROJECT_NOT_FOUND')
    expect((await resume(runId, stranger, other.projectId)).error.code).toBe('NOT_FOUND')
    const params = { projectId: other.projectId, runId }
    expect((await service.call(cancelCostRun, { params }, stranger)).error.code).toBe('NOT_FOUND')
    expect((await cancel(runId)).error.code).toBe('CONFLICT')
  })
})

describe('the list of runs', () => {
  test('is newest first, in pages, of the project alone', async () => {
    const runs = [await createRun('First.'), await createRun('x'.repeat(300))]
    const { data, meta } = await list()
    expect(data.map(({ id }) => id)).toEqual([runs[1]?.runId, runs[0]?.runId])
    expect(data.map((run) => run.agent_excerpt)).toEqual(['x'.repeat(200), 'First.'])
    expect(data[0]).not.toHaveProperty('scenarios')
    expect(meta).toEqual({ pageSize: 2, cursor: null })
    const first = await list({ limit: 1 })
    const next = await list({ limit: 1, cursor: first.meta.cursor })
    expect([...first.data, ...next.data]).toEqual(data)
    expect(next.meta.cursor).toBeNull()
    const elsewhere = { params: { projectId: other.projectId } }
    expect((await service.call(listCostRuns, elsewhere, stranger)).data).toEqual([])
  })

  test.each([{ limit: 0 }, { limit: 101 }, { cursor: 'x' }])('refuses %o', async (query) => {
    const { status, error } = await list(query)
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('an edited scenario', () => {
  test('keeps what is not edited, and loses its results alone', async () => {
    const { runId, scenarioIds, first } = await createRun()
    for (const id of scenarioIds) await putResult(runId, id)
    const before = (await read(runId)).scenarios
    const turns = ['Where is my order?', 'And now?'].map((content) => ({ role: 'user', content }))
    const { status, data } = await update(runId, first, { name: ' Lost order ', turns })
    const edited = {
      ...before[0],
      name: 'Lost order',
      turns,
    }
    expect([status, data]).toEqual([200, edited])
    const run = await read(runId)
    expect(run.scenarios).toEqual([edited, ...before.slice(1)])
    expect(run.results.map((result) => result.scenario_id).toSorted()).toEqual(
      scenarioIds.slice(1).toSorted(),
    )
    const conversation_plan = {
      goal: 'Find it.',
      known: [],
      unknown: ['the id'],
      satisfied_when: 'found',
    }
    const planned = await update(runId, first, { category: 'edge_case', conversation_plan })
    expect(planned.data).toEqual({ ...edited, category: 'edge_case', conversation_plan })
  })

  const long = 'x'.repeat(limits.scenarioTurnLength.value + 1)
  const rows: readonly (readonly [string, object])[] = [
    ['nothing', {}],
    ['an empty name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(limits.scenarioNameLength.value + 1) }],
    ['an unknown category', { category: 'sad_path' }],
    ['no turns', { turns: [] }],
    ['an empty turn', { turns: [{ role: 'user', content: '' }] }],
    ['a long turn', { turns: [{ role: 'user', content: long }] }],
    ['a turn of the agent', { turns: [{ role: 'assistant', content: 'Hello' }] }],
    ['many turns', { turns: Array.from({ length: 13 }, () => ({ role: 'user', content: 'a' })) }],
    ['a plan without a goal', { conversation_plan: { known: [], unknown: [] } }],
  ]
  test('keeps changes of different members that are made at once', async () => {
    const { runId, first } = await createRun()
    const turns = [{ role: 'user', content: 'Refund me.' }]
    const changes = [{ name: 'Refund' }, { category: 'edge_case' }, { turns }]
    for (let round = 0; round < 5; round += 1) {
      await update(runId, first, {
        name: 'Before',
        category: 'happy_path',
        turns: [...turns, ...turns],
      })
      await Promise.all(changes.map((change) => update(runId, first, change)))
      const { scenarios } = await read(runId)
      expect(scenarios.find(({ id }) => id === first)).toMatchObject(Object.assign({}, ...changes))
    }
  })

  test('is refused if it is invalid, and stays as it was', async () => {
    const { runId, first } = await createRun()
    const before = await read(runId)
    for (const [what, body] of rows) {
      const { status, error } = await update(runId, first, body)
      expect([what, status, error.code]).toEqual([what, 400, 'VALIDATION_ERROR'])
    }
    expect(await read(runId)).toEqual(before)
  })
})

describe('a run that is running', () => {
  test('is neither deleted nor edited nor written again until its lease has ended', async () => {
    const { runId, first } = await createRun()
    const before = (await read(runId)).scenarios
    const lease = await start(runId, inAMinute())
    const again = { agent_config, run_id: runId, scenario_id: first }
    const refused = [
      await remove(runId),
      await update(runId, first, { name: 'New' }),
      await service.call(generateScenarios, { params: inProject(), body: again }, editor),
    ]
    for (const { status, error } of refused) {
      expect([status, error.code, error.message]).toEqual([
        ...[
          409,
          'CONFLICT',
          'The run is in progress. Cancel it first, or wait until it has finished.',
        ],
      ])
    }
    expect((await read(runId)).scenarios).toEqual(before)
    await service.accounts.costRuns.extend(lease, new Date(Date.now() - 1).toISOString())
    expect((await update(runId, first, { name: 'New' })).status).toBe(200)
    expect((await remove(runId)).data).toEqual({ status: 'removed' })
    expect((await list()).data).toEqual([])
  })
})

test('a run of another project is not found, neither is what it has, and nothing changes', async () => {
  const { runId, first } = await createRun()
  const before = await read(runId)
  const projectId = other.projectId
  const params = { projectId, runId, scenarioId: first }
  const refused = [
    await service.call(readCostRun, { params }, stranger),
    await service.call(updateScenario, { params, body: { name: 'Stolen' } }, stranger),
    await service.call(removeCostRun, { params }, stranger),
    await update(runId, newId(), { name: 'New' }),
    await remove(newId()),
  ]
  for (const { status, error } of refused) expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
  expect(refused[0]?.error.message).toBe('Run not found.')
  expect((await update(runId, first, { name: 'New' }, viewer)).status).toBe(403)
  expect((await remove(runId, viewer)).status).toBe(403)
  expect(await read(runId)).toEqual(before)
})
