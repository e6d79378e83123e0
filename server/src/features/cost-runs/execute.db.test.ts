import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CostRun } from '@assay/contract/cost-runs.ts'
import { createEvaluator, createEvaluatorCollection } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { executeRun, streamExecution } from '@assay/contract/run-execution.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import { describe, expect, test } from 'vitest'
import { costResultRow, newIdWithoutErrors } from '../../../test/cost-run-rows.ts'
import { callNanos, executionSuite } from '../../../test/execution-suite.ts'
import type { ReceivedCall, Step } from '../../../test/scripted-model.ts'
import { signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { Unavailable } from '../../platform/failure.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'

/*
 * Executions of runs: their results, scores, bills and streams, and what is refused.
 */

const suite = executionSuite()
const { scripted, sent, service, tenant, editor, owner, addModel, addRun } = suite
const { execute, stream, readStatus, openPorts, startExecution } = suite
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const others = tenantPerTest(service)
const stranger = signedInPerTest(service, () => others.members.Owner)

describe('an execution', () => {
  test('runs every scenario with every model, and responds with results, summaries and bills', async () => {
    const ids = [await addModel(), await addModel({ label: 'other', model: 'agent-2' })]
    const { runId, scenarioIds } = await addRun(2)
    const { status, data } = await execute(runId, { model_config_ids: ids })
    expect([status, data.status, data.results.length]).toEqual([202, 'completed', 4])
    expect(new Set(data.results.map((one) => one.scenario_id))).toEqual(new Set(scenarioIds))
    for (const result of data.results)
      expect(result).toMatchObject({
        ...{ status: 'completed', turns: 1, tokens_in: 100, tokens_out: 10, error: null },
        ...{ cost_usd: callNanos / 1e9, score: null, trace_id: expect.any(String) },
      })
    expect(data.summaries.map((one) => one.model_config_id).toSorted()).toEqual(ids.toSorted())
    expect(data.summaries[0]).toMatchObject({
      ...{ cost_usd: (2 * callNanos) / 1e9, mean_score: null, score_low: null },
      latency_ms_p50: expect.any(Number),
    })
    const none = { simulated_user: 0, simulated_tools: 0, judge: 0 }
    expect(data.cost_usd).toEqual({ ...none, agent: (4 * callNanos) / 1e9 })
    expect(data.notices).toEqual([
      ...['A.', 'Users and tools are simulated by agent-1.'],
      'Tools with the mode "real" were simulated: get_order.',
    ])
    expect(data.scenarios.map(({ id }) => id)).toEqual(scenarioIds)
    expect(new Set(sent().map(({ body }) => body['model']))).toEqual(
      new Set(['agent-1', 'agent-2']),
    )
  })

  test('records each conversation as a trace of mode simulation', async () => {
    const { runId } = await addRun(1)
    const { data } = await execute(runId, { model_config_ids: [await addModel()] })
    const params = { projectId: tenant.projectId }
    const query = { mode: 'simulation', tag: `run:${runId}` }
    const { data: traces } = await service.call(listTraces, { params, query }, viewer)
    expect(traces).toMatchObject([
      { trace_id: data.results[0]?.trace_id, root_name: 'Scenario 0', llm_call_count: 1 },
    ])
    const traceId = traces[0]?.trace_id ?? ''
    const trace = await service.call(readTrace, { params: { ...params, traceId } }, viewer)
    expect(trace.data.spans.map(({ kind }) => kind)).toEqual(['agent', 'llm'])
    expect(trace.data.cost_usd).toBeCloseTo(callNanos / 1e9, 12)
  })

  test('starts no process for a tool, whatever its configuration (LibreChat, CVE-2026-22252)', async () => {
    const file = join(tmpdir(), `assay-${newId()}`)
    const command = { command: 'touch', args: [file] }
    const content = JSON.stringify({ type: 'object', properties: {}, ...command })
    const tool = { kind: 'connector', mode: 'real', name: 'get_order', content }
    const { runId } = await addRun(1, {
      agent_config: JSON.stringify({ system_prompt: 'You answer.', tools: [tool] }),
    })
    scripted.play({ calls: [{ name: 'get_order', arguments: command }] })
    const { data } = await execute(runId, { model_config_ids: [await addModel()] })
    expect(data.status).toBe('completed')
    expect(data.notices).toContain('Tools with the mode "real" were simulated: get_order.')
    expect(existsSync(file)).toBe(false)
  })

  test('runs requested scenarios only, and then the missing ones only', async () => {
    const { runId, scenarioIds } = await addRun(3)
    const ids = { model_config_ids: [await addModel()] }
    const first = await execute(runId, { ...ids, scenario_ids: [scenarioIds[1]?.toUpperCase()] })
    expect(first.data.results.map((one) => one.scenario_id)).toEqual([scenarioIds[1]])
    expect(first.data.status).toBe('completed')
    const second = await execute(runId, ids)
    expect([second.data.results.length, sent().length]).toEqual([3, 3])
    const third = await execute(runId, ids)
    expect([third.data.status, third.data.results.length, sent().length]).toEqual([
      'completed',
      3,
      3,
    ])
    expect(third.data.cost_usd.agent).toBe((3 * callNanos) / 1e9)
  })

  test('runs failed results again, and keeps the others', async () => {
    const { runId } = await addRun(2)
    const ids = { model_config_ids: [await addModel()], concurrency: 1 }
    scripted.play({ answer: 'Here.' }, { status: 401 })
    const { data } = await execute(runId, ids)
    expect(data.results.map((one) => one.status).toSorted()).toEqual(['completed', 'failed'])
    expect(data.status).toBe('completed')
    expect(data.results.find((one) => one.status === 'failed')?.error).toMatch(/^provider_error: /)
    scripted.play({ status: 401 }, { answer: 'Here.' })
    const second = await execute(runId, ids)
    expect([second.data.status, second.data.results.length]).toEqual(['completed', 2])
    const third = await execute(runId, ids)
    expect(third.data.results.map((one) => one.status)).toEqual(['completed', 'completed'])
    expect(sent()).toHaveLength(4)
  })

  test.each<readonly [what: string, step: Step, error: RegExp]>([
    ['429', { status: 429, headers: { 'retry-after': '0' } }, /^provider_error: .*429/],
    ['a refusal', { refusal: 'No.' }, /^refused: /],
    ['garbage', { garbage: 'oops' }, /^(?:invalid_output|provider_error): /],
    ['an empty answer', { answers: [] }, /^invalid_output: /],
  ])(
    'of which every call fails with %s is failed, with the reasons',
    async (_what, step, error) => {
      scripted.always(step)
      const { runId } = await addRun(2)
      const { status, data } = await execute(runId, { model_config_ids: [await addModel()] })
      expect([status, data.status, data.results.length]).toEqual([202, 'failed', 2])
      for (const result of data.results)
        expect(result).toMatchObject({ status: 'failed', error: expect.stringMatching(error) })
    },
  )

  test('T21: of a model without a price has null costs, and a notice', async () => {
    const unpriced = {
      input_usd_per_mtok: null,
      output_usd_per_mtok: null,
      cache_read_usd_per_mtok: null,
    }
    const { runId } = await addRun(1)
    const ids = [await addModel({ ...unpriced, model: 'house-1' })]
    const { data } = await execute(runId, { model_config_ids: ids })
    expect([data.results[0]?.cost_usd, data.summaries[0]?.cost_usd]).toEqual([null, null])
    expect(data.notices.join()).toContain('house-1 has no known price.')
  })

  test.each(['get_order', 'execute_tool get_order'])(
    'answers tools as recorded runs did that called %s, without its errors',
    async (name) => {
      const input = { id: 'A-1' }
      const ofTool = { parent_span_id: 'a', name, kind: 'tool', input }
      const spans = [
        { span_id: 'a', name: 'run', kind: 'agent', started_at: '2026-01-01T00:00:00Z' },
        {
          ...{ ...ofTool, span_id: 'b', started_at: '2026-01-01T00:00:01Z' },
          ...{ status: 'ERROR', output: { reason: 'timeout' } },
        },
        {
          ...{ ...ofTool, span_id: 'c', started_at: '2026-01-01T00:00:02Z' },
          output: { place: 'Oslo' },
        },
      ]
      await service.call(ingestTrace, { body: { trace_id: newId(), spans } }, tenant.keyHeader)
      scripted.play({ calls: [{ name: 'get_order', arguments: { id: 'A-1' } }] })
      const { runId } = await addRun(1, {}, await newIdWithoutErrors(input))
      await execute(runId, { model_config_ids: [await addModel()] })
      expect(sent().at(-1)?.texts.at(-1)).toBe('{"place":"Oslo"}')
    },
  )

  test('has users and tools played by the model that wrote the scenarios, on their own bills', async () => {
    const writer = await addModel({ model: 'writer-1' })
    const input = { id: 'B-2' }
    const run = { model_config_id: writer }
    const { runId } = await addRun(1, run, await newIdWithoutErrors(input))
    const calls = [{ name: 'get_order', arguments: input }]
    scripted.play({ calls }, { answer: '{"place":"Rome"}' }, { answer: 'Which one?' })
    scripted.play({ answer: { satisfied: true, message: '' } })
    const { data } = await execute(runId, { model_config_ids: [await addModel()] })
    const models = sent().map(({ body }) => body['model'])
    expect(models).toEqual(['agent-1', 'writer-1', 'agent-1', 'writer-1'])
    const bill = callNanos / 1e9
    expect(data.cost_usd).toEqual({
      ...{ agent: 2 * bill, simulated_user: bill, simulated_tools: bill, judge: 0 },
    })
    expect(data.results[0]?.cost_usd).toBe(2 * bill)
    expect(data.notices).toContain('Users and tools are simulated by writer-1.')
  })

  test('begins no call once max_cost_usd is reached, and is completed by another one', async () => {
    const { runId } = await addRun(5)
    const body = { model_config_ids: [await addModel()], concurrency: 1 }
    const max_cost_usd = (2 * callNanos) / 1e9
    const { data: limited } = await execute(runId, { ...body, max_cost_usd })
    const stopped = { status: 'partial', stopped_by: 'cost_limit', max_cost_usd }
    expect(limited).toMatchObject({ ...stopped, results: { length: 2 } })
    expect(sent()).toHaveLength(2)
    const none = await execute(runId, { ...body, max_cost_usd: 0 })
    expect([none.status, none.error.message, sent().length]).toEqual([
      ...[400, expect.stringMatching(/max_cost_usd.* must be more than 0/), 2],
    ])
    expect(await readStatus(runId)).toBe('partial')
    const { data: whole } = await execute(runId, body)
    const complete = { status: 'completed', stopped_by: null, results: { length: 5 } }
    expect(whole).toMatchObject(complete)
    expect(sent()).toHaveLength(5)
  })

  test('passes max_cost_usd by one call for each conversation at most', async () => {
    const { runId } = await addRun(12)
    const body = { model_config_ids: [await addModel()], concurrency: 4 }
    const { data } = await execute(runId, { ...body, max_cost_usd: callNanos / 1e9 })
    expect(data.status).toBe('partial')
    expect(sent().length).toBeLessThanOrEqual(4)
  })

  test('has as many conversations at once as requested', async () => {
    const { runId } = await addRun(6)
    const body = { model_config_ids: [await addModel()], concurrency: 2 }
    let most = 0
    scripted.always(() => {
      most = Math.max(most, scripted.open)
      return { answer: 'Here.' }
    })
    await execute(runId, body)
    expect(most).toBeLessThanOrEqual(2)
  })

  test('after a killed one runs what is missing only', async () => {
    const execution = JSON.stringify({
      ...{ model_config_ids: [], collection_id: null, max_cost_usd: null, concurrency: 4 },
    })
    const { runId, scenarioIds } = await addRun(3, {
      ...{ status: 'running', execution, execution_id: newId() },
      running_until: '2026-01-01T00:00:30.000Z',
    })
    const configId = await addModel()
    await service.accounts.costRuns.putResult({
      ...{ project_id: tenant.projectId, run_id: runId, scenario_id: scenarioIds[0] ?? '' },
      ...{ model_config_id: configId, trace_id: 'a', status: 'completed', turns: 1, tokens_in: 1 },
      ...{ tokens_out: 1, cost_nano_usd: 7, latency_ms: 1, score: null, error: null },
      finished_at: '2026-01-01T00:00:10.000Z',
    })
    const { status, data } = await execute(runId, { model_config_ids: [configId] })
    expect([status, data.status, data.results.length, sent().length]).toEqual([
      202,
      'completed',
      3,
      2,
    ])
  })
})

describe('a stream of an execution', () => {
  test('has started first, results with progress, and the same data as the response in the end', async () => {
    const { runId } = await addRun(2)
    const body = { model_config_ids: [await addModel()] }
    const { status, headers, data } = await stream(runId, body)
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ])
    expect(data.map(({ type }) => type)).toEqual([
      ...['started', 'result', 'progress', 'result', 'progress', 'completed'],
    ])
    expect(data[0]).toEqual({ type: 'started', run_id: runId, total: 2 })
    expect(data[4]).toMatchObject({ done: 2, total: 2, cost_usd: (2 * callNanos) / 1e9 })
    const last = data[5] as { data: CostRun }
    const again = await execute(runId, body)
    expect({ ...again.data, started_at: '', finished_at: '' }).toEqual({
      ...{ ...last.data, started_at: '', finished_at: '' },
    })
  })

  test('of an invalid body, or one that is not JSON, is 400 before it starts', async () => {
    const { runId } = await addRun(1)
    expect((await stream(runId, { model_config_ids: [] })).status).toBe(400)
    const params = { projectId: tenant.projectId, runId }
    const { status } = await service.call(streamExecution, { params, raw: '{' }, editor)
    expect(status).toBe(400)
    expect(await readStatus(runId)).toBe('draft')
  })
})

const outputPresent = '146304e6-6f1c-5bb9-a89f-3f1e29f6613f'
const addCollection = async (evaluator_ids: readonly string[]) => {
  const params = { orgId: tenant.organizationId }
  const body = { name: 'c', evaluator_ids }
  return (await service.call(createEvaluatorCollection, { params, body }, owner)).data.id
}

describe('scores of an execution', () => {
  test('are those of the collection, with the interval of their mean', async () => {
    const { runId } = await addRun(3)
    const collection_id = await addCollection([outputPresent])
    const body = { model_config_ids: [await addModel()], collection_id }
    const { data } = await execute(runId, body)
    expect(data.results.map(({ score }) => score)).toEqual([1, 1, 1])
    expect(data.summaries[0]).toMatchObject({ mean_score: 1, score_high: 1 })
    expect(data.summaries[0]?.score_low).toBeLessThan(1)
  })

  test('are added to earlier results without running their scenarios again', async () => {
    const { runId } = await addRun(2)
    const body = { model_config_ids: [await addModel()] }
    await execute(runId, body)
    const collection_id = await addCollection([outputPresent])
    const { data } = await execute(runId, { ...body, collection_id })
    expect(data.results.map(({ score }) => score)).toEqual([1, 1])
    expect(sent()).toHaveLength(2)
  })

  test('are added to earlier results that could not be scored before', async () => {
    const collection_id = await addCollection([outputPresent])
    const busy = new Unavailable('Too many evaluations are running.', 1)
    const scoring = { callsModel: false, score: () => Promise.reject(busy) }
    const ports = { ...(await openPorts()), openScoring: async () => scoring }
    const { runId, body, events } = await startExecution(ports, { collection_id })
    await Array.fromAsync(events)
    const all = { after: undefined, limit: 9 }
    for (const result of await service.accounts.costRuns.listResults(tenant.projectId, runId, all))
      expect(result).toMatchObject({ score: null, error: expect.stringContaining('Execute again') })
    const { data } = await execute(runId, { ...body, collection_id })
    expect(data.results.map(({ score, error }) => [score, error])).toEqual(Array(3).fill([1, null]))
    expect(sent()).toHaveLength(3)
  })

  const isJudge = ({ wantsObject }: ReceivedCall) => wantsObject
  const addJudge = async (verdict: 'yes' | 'no') => {
    const params = { orgId: tenant.organizationId }
    const judge = { name: 'j', category: 'quality', prompt_template: 'Is {{output}} polite?' }
    const { data: created } = await service.call(createEvaluator, { params, body: judge }, owner)
    const criteria = [{ id: 'overall', evidence: [], verdict }]
    scripted.always((call) =>
      isJudge(call)
        ? { answer: { criteria, issues: [], reasoning: 'Judged.' } }
        : { answer: 'Good day.' },
    )
    return await addCollection([created.id])
  }

  test('are never those of another collection, also if the execution stops', async () => {
    const { runId } = await addRun(2)
    const body = { model_config_ids: [await addModel()] }
    await execute(runId, { ...body, collection_id: await addCollection([outputPresent]) })
    const judged = { ...body, collection_id: await addJudge('no') }
    const limited = { ...judged, max_cost_usd: callNanos / 1e9, concurrency: 1 }
    const stopped = await execute(runId, limited)
    expect(stopped.data.status).toBe('partial')
    expect(stopped.data.results.map(({ score }) => score)).not.toContain(1)
    const { data } = await execute(runId, judged)
    expect(data.results.map(({ score }) => score)).toEqual([0, 0])
  })

  test('that the limit of cost cuts off leave the run partial; another execution adds them', async () => {
    const collection_id = await addJudge('yes')
    const { runId } = await addRun(1)
    const body = { model_config_ids: [await addModel()], collection_id }
    const cut = await execute(runId, { ...body, max_cost_usd: callNanos / 1e9 })
    expect([cut.data.status, cut.data.results[0]?.score]).toEqual(['partial', null])
    const { data } = await execute(runId, body)
    expect([data.status, data.results[0]?.score]).toEqual(['completed', 1])
    expect(sent().filter((call) => !isJudge(call))).toHaveLength(1)
  })

  test('of judges are on a bill of their own', async () => {
    const collection_id = await addJudge('yes')
    const { runId } = await addRun(1)
    const { data } = await execute(runId, { model_config_ids: [await addModel()], collection_id })
    expect(data.results[0]?.score).toBe(1)
    const judged = sent().filter(isJudge).length
    expect(judged).toBeGreaterThan(0)
    expect(data.cost_usd).toMatchObject({
      ...{ agent: callNanos / 1e9, judge: (judged * callNanos) / 1e9 },
    })
    expect(data.notices).toContain('Judges call agent-1.')
  })
})

describe('an execution is refused', () => {
  test('if the run has no scenarios', async () => {
    const { runId } = await addRun(0)
    const { error } = await execute(runId, { model_config_ids: [await addModel()] })
    expect(error).toMatchObject({
      ...{ code: 'CONFLICT', message: expect.stringMatching(/^The run has no scenarios\./) },
    })
    expect([sent().length, await readStatus(runId)]).toEqual([0, 'draft'])
  })

  test('if the run would have results of more models than allowed, which keep their scores', async () => {
    const { runId, scenarioIds } = await addRun(1)
    const { costRuns } = service.accounts
    const scenario = { project_id: tenant.projectId, run_id: runId, id: scenarioIds[0] ?? '' }
    for (let model = 0; model < limits.modelsPerRun.value; model += 1)
      await costRuns.putResult(costResultRow(scenario))
    const all = { after: undefined, limit: 9 }
    const readAll = () =>
      Promise.all([
        costRuns.find(tenant.projectId, runId),
        costRuns.listResults(tenant.projectId, runId, all),
      ])
    const before = await readAll()
    // Scores of another collection would be removed.
    const collection_id = await addCollection([outputPresent])
    const { error } = await execute(runId, { model_config_ids: [await addModel()], collection_id })
    expect(error).toMatchObject({
      ...{ code: 'CONFLICT', message: expect.stringContaining('at most 8 models') },
    })
    expect(before[1].map(({ score }) => score)).toEqual(Array(8).fill(0.5))
    expect(await readAll()).toEqual(before)
    expect(sent()).toEqual([])
  })

  test.each(['run', 'model', 'collection', 'scenario'])(
    'for a %s that does not exist',
    async (what) => {
      const { runId } = await addRun(1)
      const known = await addModel()
      const body = {
        model_config_ids: [known, ...(what === 'model' ? [newId()] : [])],
        ...(what === 'collection' && { collection_id: newId() }),
        ...(what === 'scenario' && { scenario_ids: [newId()] }),
      }
      for (const send of [execute, stream]) {
        const { status, error } = await send(what === 'run' ? newOrderedId() : runId, body)
        expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
      }
      expect([sent().length, await readStatus(runId)]).toEqual([0, 'draft'])
    },
  )

  test('to viewers and people of other organizations, and for a run of another project (MLflow, CVE-2026-0545)', async () => {
    const { runId } = await addRun(1)
    const body = { model_config_ids: [newId()] }
    expect((await execute(runId, body, viewer)).error.code).toBe('FORBIDDEN')
    expect((await execute(runId, body, stranger)).error.code).toBe('PROJECT_NOT_FOUND')
    const params = { projectId: others.projectId, runId }
    expect((await service.call(executeRun, { params, body }, stranger)).error.code).toBe(
      'NOT_FOUND',
    )
    expect(await readStatus(runId)).toBe('draft')
  })
})
