import {
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import { limits } from '@assay/contract/limits.ts'
import { generateScenarios } from '@assay/contract/scenarios.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newId } from '../../platform/ids.ts'

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
  await service.accounts.costRuns.start(lease, {
    ...{ ...started, execution: JSON.stringify(execution) },
  })
  return lease
}

const inAMinute = () => new Date(Date.now() + 60_000)

function putResult(runId: string, scenario_id: string, more: object = {}) {
  return service.accounts.costRuns.putResult({
    ...{ project_id: tenant.projectId, run_id: runId, scenario_id, trace_id: 'a' },
    ...{ model_config_id: execution.model_config_ids[0] ?? '', status: 'completed', turns: 2 },
    ...{ tokens_in: 100, tokens_out: 10, cost_nano_usd: 100_000_000, latency_ms: 500 },
    ...{ score: 0.5, error: null, finished_at: new Date().toISOString(), ...more },
  })
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
      ...spent,
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
    expect((await read(runId)).status).toBe('partial')
    expect((await list()).data[0]?.status).toBe('partial')
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
        ...[409, 'CONFLICT', 'The run is running. Cancel it first, or wait until it has finished.'],
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
  expect((await update(runId, first, { name: 'New' }, viewer)).status).toBe(403)
  expect((await remove(runId, viewer)).status).toBe(403)
  expect(await read(runId)).toEqual(before)
})
