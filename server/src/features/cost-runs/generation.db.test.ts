import { buildPath } from '@assay/contract/client.ts'
import { estimateCost } from '@assay/contract/cost-calculator.ts'
import {
  listCostRuns,
  readCostRun,
  removeCostRun,
  updateScenario,
} from '@assay/contract/cost-runs.ts'
import { resumeGeneration, streamResumption } from '@assay/contract/generation-resumption.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  generateScenarios,
  type ScenarioEvent,
  type ScenarioSummary,
  streamScenarios,
} from '@assay/contract/scenarios.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Step } from '../../../test/scripted-model.ts'
import { addModelConfig, runningModel } from '../../../test/scripted-model-suite.ts'
import { cellsOf, itemFor, writesAll } from '../../../test/scripted-writer.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'

let aheadMs = 0
const clock: Clock = {
  now: () => new Date(Date.now() + aheadMs),
  monotonicMs: () => performance.now(),
}
const service = runningService({ clock })
const tenant = tenantPerTest(service)
const other = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const stranger = signedInPerTest(service, () => other.members.Owner)
const model = runningModel()

const agent_config = {
  system_prompt: 'You help customers of a shop.',
  tools: [
    {
      name: 'look_up_order',
      content:
        '{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}',
    },
    { name: 'refund' },
  ],
}

const params = () => ({ projectId: tenant.projectId })
const generate = (body: object = {}, as = editor) =>
  service.call(generateScenarios, { params: params(), body: { agent_config, ...body } }, as)
const stream = (body: object = {}, as = editor) =>
  service.call(streamScenarios, { params: params(), body: { agent_config, ...body } }, as)
const inRun = (runId: string) => ({ ...params(), runId })
const read = async (runId: string) =>
  (await service.call(readCostRun, { params: inRun(runId) }, viewer)).data
const listRuns = async () =>
  (await service.call(listCostRuns, { params: params() }, viewer)).data.map(({ id }) => id)

/** Creates a run, and returns its id with its scenarios. */
async function createRun(body: object = {}) {
  const { data } = await generate(body)
  if (!('run_id' in data)) throw new Error('not a run')
  return data
}

async function addModel(changes: object = {}) {
  const as = await service.signedIn(tenant.members.Owner)
  return await addModelConfig(service, model, { orgId: tenant.organizationId, as }, changes)
}

const fails: Step = { status: 500, message: 'Out of order.' }

const typesOf = (events: readonly ScenarioEvent[]) => events.map(({ type }) => type)

describe('scenarios without a model', () => {
  test('T17: are written, estimated and stored as a run', async () => {
    const { status, data } = await generate()
    if (!('run_id' in data)) throw new Error('not a run')
    expect([status, data.scenarios.length, data.generator, data.cost_usd]).toEqual([
      ...[201, 3, 'offline', 0],
    ])
    expect(data.notices).toEqual([
      'This service has no model of its own. The scenarios are from templates.',
    ])
    expect(data.scenarios.every(({ origin }) => origin === 'template')).toBe(true)
    const estimated = await service.call(
      estimateCost,
      { params: params(), body: { agent_config } },
      viewer,
    )
    expect(data.estimate).toEqual(estimated.data)
    expect(await read(data.run_id)).toEqual({
      ...{ id: data.run_id, project_id: tenant.projectId, status: 'draft', generator: 'offline' },
      ...{
        scenario_count: 3,
        is_generating: false,
        execution: null,
        max_cost_usd: null,
        results: [],
        summaries: [],
      },
      ...{
        notices: data.notices,
        stopped_by: null,
        started_at: null,
        finished_at: null,
        created_at: expect.any(String),
      },
      cost_usd: { agent: 0, simulated_user: 0, simulated_tools: 0, judge: 0 },
      agent_config: {
        ...{ system_prompt: agent_config.system_prompt, tone: '', memory: '' },
        tools: agent_config.tools.map((tool) => ({
          ...{ kind: 'tool', mode: 'simulated', description: '', ...tool },
        })),
      },
      ...{ estimate: data.estimate, scenarios: data.scenarios },
    })
  })

  test('are as many as requested up to 1,000, with several turns on request', async () => {
    const { scenarios, run_id: runId } = await createRun({
      ...{ scenario_count: 1000, include_multi_turn: true },
    })
    expect(scenarios).toHaveLength(1000)
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(1000)
    expect(scenarios.filter(({ category }) => category === 'multi_turn')).toHaveLength(250)
    expect((await read(runId)).scenarios).toEqual(scenarios)
  })

  test('are serialized one by one in the response and on the stream, so that others are served', async () => {
    const serialized = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => serialized.mockRestore())
    await createRun({ scenario_count: 30 })
    expect((await stream({ scenario_count: 30 })).status).toBe(200)
    const texts = serialized.mock.results.map(({ value }) => String(value))
    const mostPersonas = Math.max(...texts.map((text) => text.split('"persona":').length - 1))
    expect(mostPersonas).toBe(1)
  })

  test('are the same for the same agent, in another run with other ids', async () => {
    const [first, second] = [await createRun(), await createRun()]
    const withoutIds = (all: readonly ScenarioSummary[]) => all.map(({ id: _, ...rest }) => rest)
    expect(withoutIds(second.scenarios)).toEqual(withoutIds(first.scenarios))
    expect(second.scenarios.map(({ id }) => id)).not.toEqual(first.scenarios.map(({ id }) => id))
  })

  test('arrive on the stream between the start and the response of the other endpoint', async () => {
    const { data: events } = await stream({ scenario_count: 30 })
    const types = typesOf(events)
    expect([types[0], types[1], types.at(-1)]).toEqual(['started', 'estimate', 'completed'])
    const last = events.at(-1)
    if (last?.type !== 'completed' || !('run_id' in last.data)) throw new Error('no run')
    expect(events[0]).toEqual({ type: 'started', run_id: last.data.run_id, total: 30 })
    const arrived = events.flatMap((event) => (event.type === 'scenario' ? [event.scenario] : []))
    expect(arrived).toEqual(last.data.scenarios)
    expect(events.at(-2)).toEqual({ type: 'progress', done: 30, total: 30, cost_usd: 0 })
    expect((await read(last.data.run_id)).scenarios).toEqual(arrived)
  })
})

describe('a scenario written again', () => {
  test('keeps its id, place and category, and replaces only itself', async () => {
    const { run_id, scenarios } = await createRun()
    const [, before] = scenarios
    if (before === undefined) throw new Error('no scenario')
    const { status, data } = await generate({ run_id, scenario_id: before.id.toUpperCase() })
    if (!('scenario' in data)) throw new Error('no scenario')
    expect(status).toBe(200)
    expect(data.scenario).toMatchObject({ id: before.id, category: before.category })
    expect(data.scenario.turns).not.toEqual(before.turns)
    expect((await read(run_id)).scenarios).toEqual([scenarios[0], data.scenario, scenarios[2]])
  })

  test('arrives on the stream as well, and follows a category that was edited', async () => {
    const { run_id, scenarios } = await createRun()
    const scenario_id = scenarios[0]?.id ?? ''
    await service.call(
      updateScenario,
      { params: { ...inRun(run_id), scenarioId: scenario_id }, body: { category: 'multi_turn' } },
      editor,
    )
    const { data: events } = await stream({ run_id, scenario_id })
    expect(typesOf(events)).toEqual(['started', 'scenario', 'completed'])
    const last = events.at(-1)
    if (last?.type !== 'completed' || !('scenario' in last.data)) throw new Error('no scenario')
    expect(last.data.scenario).toMatchObject({ id: scenario_id, category: 'multi_turn' })
    expect((await read(run_id)).scenarios[0]).toEqual(last.data.scenario)
  })

  test('of another project or run is not found, and stays as it is', async () => {
    const [{ run_id, scenarios }, second] = [await createRun(), await createRun()]
    const scenario_id = scenarios[0]?.id
    const elsewhere = { projectId: other.projectId }
    const body = { agent_config, run_id, scenario_id }
    for (const declared of [generateScenarios, streamScenarios]) {
      const foreign = await service.call(declared, { params: elsewhere, body }, stranger)
      expect([foreign.status, foreign.error.code, foreign.error.details]).toEqual([
        ...[404, 'NOT_FOUND', { field: 'run_id' }],
      ])
    }
    const wrongRun = await generate({ run_id: second.run_id, scenario_id })
    expect([wrongRun.status, wrongRun.error.details]).toEqual([404, { field: 'scenario_id' }])
    expect((await read(run_id)).scenarios).toEqual(scenarios)
  })

  test('by a model takes its text, and stays as it was if the model fails', async () => {
    const { run_id, scenarios } = await createRun()
    const body = { run_id, scenario_id: scenarios[0]?.id, model_config_id: await addModel() }
    model.always(fails)
    const failed = await generate(body)
    expect([failed.status, failed.error.code]).toEqual([502, 'INTERNAL_ERROR'])
    expect((await read(run_id)).scenarios).toEqual(scenarios)
    model.always(writesAll)
    const { data } = await generate(body)
    if (!('scenario' in data)) throw new Error('no scenario')
    expect(data.scenario).toMatchObject({ name: 'Scenario 0', origin: 'model' })
  })

  test('is by the model that wrote the run, unless null requests none', async () => {
    model.always(writesAll)
    const { run_id, scenarios } = await createRun({ model_config_id: await addModel() })
    const body = { run_id, scenario_id: scenarios[0]?.id }
    for (const [changes, origin] of [
      [{}, 'model'],
      [{ model_config_id: null }, 'template'],
    ] as const) {
      const { data } = await generate({ ...body, ...changes })
      expect(data).toMatchObject({ scenario: { origin } })
    }
  })
})

describe('scenarios by a model', () => {
  test('follow the plan, in batches within the limit of calls, with their cost', async () => {
    model.always(writesAll)
    const before = model.requests.length
    const data = await createRun({ model_config_id: await addModel(), scenario_count: 95 })
    const calls = model.requests.slice(before)
    expect(calls.map((call) => cellsOf(call).length).toSorted((a, b) => a - b)).toEqual([
      ...[5, 10, 10, 10, 10, 10, 10, 10, 10, 10],
    ])
    expect(model.mostOpen).toBeLessThanOrEqual(limits.modelCallsOfOrganization.value)
    expect([data.generator, data.notices]).toEqual(['model', []])
    expect(data.scenarios.map(({ name, origin }) => `${name} ${origin}`)).toEqual(
      Array.from({ length: 95 }, (_, n) => `Scenario ${n} model`),
    )
    // Each call: 100 tokens in, 10 out.
    expect(data.cost_usd).toBe(0.011)
  })

  test('record their calls as one trace of mode simulation, without the key', async () => {
    model.always(writesAll)
    const data = await createRun({ model_config_id: await addModel(), scenario_count: 25 })
    const query = { mode: 'simulation' }
    const listed = await service.call(listTraces, { params: params(), query }, viewer)
    expect(listed.data).toMatchObject([
      { trace_id: data.run_id.replaceAll('-', ''), root_name: 'write scenarios', cost_usd: 0.0033 },
    ])
    const traceId = listed.data[0]?.trace_id ?? ''
    const trace = await service.call(readTrace, { params: { ...params(), traceId } }, viewer)
    expect(JSON.stringify(trace.data)).not.toContain('"k"')
  })

  test('T18: are asked for again if they repeat, are invalid or are missing, and else from templates', async () => {
    const asked: number[][] = []
    model.always((call) => {
      const cells = cellsOf(call)
      asked.push(cells.map(({ cell }) => cell))
      const items = cells.map((one) => itemFor(one))
      if (asked.length > 1) return { answer: { scenarios: items.slice(1) } }
      const [first, second, third, fourth, ...rest] = items
      const repeated = { ...second, turns: first?.turns }
      const tooLong = { ...third, turns: ['x'.repeat(limits.scenarioTurnLength.value + 1)] }
      const unasked = { ...fourth, cell: 99 }
      return { answer: { scenarios: [first, repeated, tooLong, unasked, ...rest] } }
    })
    const data = await createRun({ model_config_id: await addModel(), scenario_count: 10 })
    expect(asked.map((cells) => cells.toSorted((a, b) => a - b))).toEqual([
      ...[
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 2, 3],
      ],
    ])
    expect(data.scenarios.map(({ origin }) => origin)).toEqual([
      ...[
        'model',
        'template',
        'model',
        'model',
        'model',
        'model',
        'model',
        'model',
        'model',
        'model',
      ],
    ])
    expect(data.notices).toEqual([
      '1 of 10 scenarios are from templates: the model did not write them.',
    ])
  })

  const failures: readonly (readonly [string, Step])[] = [
    ['an error', { status: 400, message: 'No.' }],
    ['garbage', { garbage: 'not JSON' }],
    ['prose', { prose: 'Here are your scenarios.' }],
    ['a refusal', { refusal: 'I do not do that.' }],
    ['T23: an answer that was cut off', { answer: '{"scenarios":[{"cell":0,"na', stop: 'length' }],
    ['nothing usable', { answer: { scenarios: [] } }],
  ]
  test.each(failures)('are not created if every call fails: %s', async (_what, step) => {
    model.always(step)
    const body = { model_config_id: await addModel(), scenario_count: 12 }
    const { status, error } = await generate(body)
    expect([status, error.code]).toEqual([502, 'INTERNAL_ERROR'])
    expect(error.message).toMatch(/^The model wrote no scenarios: /)
    expect(await listRuns()).toEqual([])
    const { data: events } = await stream(body)
    expect(events.at(-1)).toMatchObject({ type: 'error', message: error.message })
    expect(await listRuns()).toEqual([])
  })

  test('end after a few calls if the model never answers', async () => {
    model.always({ status: 401, message: 'Wrong key.' })
    const before = model.requests.length
    const { status } = await generate({ model_config_id: await addModel(), scenario_count: 1000 })
    expect(status).toBe(502)
    expect(model.requests.length - before).toBeLessThan(20)
  })

  test('are filled from templates where some calls fail', async () => {
    const model_config_id = await addModel()
    model.always({ status: 400, message: 'No.' })
    model.play(writesAll)
    const data = await createRun({ model_config_id, scenario_count: 30 })
    const origins = data.scenarios.map(({ origin }) => origin)
    expect(origins.filter((one) => one === 'model')).toHaveLength(10)
    expect(origins.filter((one) => one === 'template')).toHaveLength(20)
    expect((await read(data.run_id)).scenarios).toEqual(data.scenarios)
  })

  test('are filled from templates once 780 seconds have passed, without further calls', async () => {
    const model_config_id = await addModel()
    const before = model.requests.length
    model.always((call) => {
      aheadMs = limits.generationSeconds.value * 1000
      return typeof writesAll === 'function' ? writesAll(call) : writesAll
    })
    const { data: events } = await stream({ model_config_id, scenario_count: 100 })
    aheadMs = 0
    const last = events.at(-1)
    if (last?.type !== 'completed' || !('run_id' in last.data)) throw new Error('no run')
    const { scenarios, notices, run_id } = last.data
    const calls = limits.modelCallsOfOrganization.value
    expect([scenarios.length, model.requests.length - before]).toEqual([100, calls])
    const ofTemplates = 100 - 10 * calls
    expect(scenarios.filter(({ origin }) => origin === 'template')).toHaveLength(ofTemplates)
    expect(notices).toEqual([
      `${ofTemplates} of 100 scenarios are from templates: the model did not write them.`,
    ])
    expect(await read(run_id)).toMatchObject({ scenarios, notices, stopped_by: null })
  })

  test('of an unknown configuration, or one of another organization, are not found', async () => {
    for (const call of [generate, stream]) {
      const { status, error } = await call({ model_config_id: newId() })
      expect([status, error.details]).toEqual([404, { field: 'model_config_id' }])
    }
    expect(await listRuns()).toEqual([])
  })

  test('arrive while others are written, and are kept when the caller leaves; resuming writes the rest', async () => {
    const body = JSON.stringify({
      ...{ agent_config, model_config_id: await addModel(), scenario_count: 100 },
    })
    model.always('stall')
    model.play(writesAll)
    const before = model.requests.length
    const leave = new AbortController()
    const response = await fetch(service.api + buildPath(streamScenarios, params()), {
      ...{ method: 'POST', body, signal: leave.signal },
      headers: { ...editor, 'content-type': 'application/json' },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    while (!received.includes('"type":"progress"')) {
      const { value } = (await reader?.read()) ?? {}
      if (value === undefined) throw new Error(`ended after ${received}`)
      received += value
    }
    const events = received
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as ScenarioEvent)
    const [started] = events
    if (started?.type !== 'started') throw new Error('not started')
    expect(events.filter(({ type }) => type === 'scenario')).toHaveLength(10)
    expect(model.open).toBeGreaterThan(0)
    leave.abort()
    await model.idle()
    const sent = model.requests.length - before
    expect(sent).toBeLessThanOrEqual(1 + limits.modelCallsOfOrganization.value)
    const run = await read(started.run_id)
    expect([run.status, run.scenario_count, run.scenarios.length]).toEqual(['draft', 100, 10])

    await expect.poll(async () => (await read(started.run_id)).is_generating).toBe(false)
    model.always(writesAll)
    const resumed = await service.call(streamResumption, { params: inRun(started.run_id) }, editor)
    expect(resumed.data[0]).toEqual({ type: 'started', run_id: started.run_id, total: 90 })
    expect(resumed.data.at(-2)).toMatchObject({ type: 'progress', done: 90, total: 90 })
    const stored = new Set(run.scenarios.map(({ name }) => name))
    const asked = model.requests.slice(before + sent).flatMap(cellsOf)
    expect(asked).toHaveLength(90)
    expect(asked.filter(({ cell }) => stored.has(`Scenario ${cell}`))).toEqual([])
    const { scenarios } = await read(started.run_id)
    expect(scenarios).toEqual(expect.arrayContaining(run.scenarios))
    expect(scenarios.map(({ name, origin }) => `${name} ${origin}`)).toEqual(
      Array.from({ length: 100 }, (_, n) => `Scenario ${n} model`),
    )
  })
})

describe('a request for scenarios', () => {
  const run_id = newId()
  const scenario_id = newId()
  const rows: readonly (readonly [what: string, body: object, named: string])[] = [
    ['no scenario', { scenario_count: 0 }, 'scenario_count'],
    ['more than a run may have', { scenario_count: 1001 }, 'scenario_count'],
    ['half a scenario', { scenario_count: 1.5 }, 'scenario_count'],
    ['a scenario without its run', { scenario_id }, 'run_id'],
    ['a run without a scenario', { run_id }, 'scenario_id'],
    ['both bodies', { run_id, scenario_id, scenario_count: 3 }, 'scenario_count'],
    ['both bodies', { run_id, scenario_id, include_multi_turn: false }, 'include_multi_turn'],
    ['no id of a model', { model_config_id: 'gpt-4o' }, 'model_config_id'],
    ['no agent', { agent_config: undefined }, 'agent_config'],
    ['an empty prompt', { agent_config: { system_prompt: '' } }, 'system_prompt'],
  ]
  test('that is invalid is refused with a message that has the field, and stores nothing', async () => {
    for (const [what, body, named] of rows) {
      for (const call of [generate, stream]) {
        const { status, error } = await call(body)
        expect([what, status, error.code]).toEqual([what, 400, 'VALIDATION_ERROR'])
        expect(error.message).toContain(named)
      }
    }
    expect(await listRuns()).toEqual([])
  })

  test('is refused to viewers', async () => {
    for (const call of [generate, stream]) expect((await call({}, viewer)).status).toBe(403)
    expect(await listRuns()).toEqual([])
  })

  test('is refused while the user has as many in progress as allowed, and possible again afterwards', async () => {
    const { run_id: complete } = await createRun()
    model.always('stall')
    const body = { agent_config, model_config_id: await addModel(), scenario_count: 10 }
    const before = model.requests.length
    const most = limits.scenarioGenerationsOfUser.value
    const leave = new AbortController()
    const open = Array.from({ length: most }, () =>
      fetch(service.api + buildPath(generateScenarios, params()), {
        ...{ method: 'POST', body: JSON.stringify(body), signal: leave.signal },
        headers: { ...editor, 'content-type': 'application/json' },
      }).catch(() => undefined),
    )
    await model.received(before + most)
    const refused = await generate()
    expect([refused.status, refused.error.message]).toEqual([
      ...[503, 'Too many requests are writing scenarios. Try again when one has finished.'],
    ])
    expect((await stream()).data).toEqual([{ type: 'error', message: refused.error.message }])
    const again = await service.call(resumeGeneration, { params: inRun(complete) }, editor)
    expect([again.status, again.error.message]).toEqual([503, refused.error.message])
    leave.abort()
    await Promise.all(open)
    await model.idle()
    await expect.poll(async () => (await generate()).status).toBe(201)
  })

  test('is refused if the project has too many runs or scenarios', async () => {
    const row = async (scenario_count: number) => {
      const id = newOrderedId()
      await service.accounts.costRuns.insert({
        ...{ id, project_id: tenant.projectId, created_by: null, status: 'draft' },
        ...{ generator: 'offline', model_config_id: null, include_multi_turn: 0, scenario_count },
        ...{ agent_excerpt: '', notices: '[]', execution: null, execution_id: null },
        ...{
          running_until: null,
          is_canceled: 0,
          stopped_by: null,
          created_at: '2026-01-01T00:00:00.000Z',
          started_at: null,
        },
        ...{ finished_at: null, agent_config: '{}', estimate: '{}' },
        ...{ agent_nano_usd: 0, user_nano_usd: 0, tools_nano_usd: 0, judge_nano_usd: 0 },
        last_bill_id: null,
      })
      return id
    }
    const large = await row(limits.scenariosPerProject.value - 2)
    for (const call of [generate, stream]) {
      const { status, error } = await call()
      expect([status, error.code, error.message]).toEqual([
        ...[409, 'CONFLICT', 'A project has at most 50,000 scenarios. Delete a run first.'],
      ])
    }
    expect(await listRuns()).toEqual([large])
    await service.call(removeCostRun, { params: inRun(large) }, editor)
    for (let n = 0; n < limits.costRunsPerProject.value; n += 1) await row(1)
    const { status, error } = await generate()
    expect([status, error.message]).toEqual([
      ...[409, 'A project can have at most 500 runs. Delete one first.'],
    ])
  })
})
