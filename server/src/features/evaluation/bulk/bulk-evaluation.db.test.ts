import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import {
  deleteEvaluator,
  deleteEvaluatorCollection,
  listEvaluators,
} from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { cancelJob, type EvaluationJob, listJobs, readJob } from '@assay/contract/jobs.ts'
import { limits } from '@assay/contract/limits.ts'
import { removeModelConfig } from '@assay/contract/model-configs.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { evaluationSuite, unpriced } from '../../../../test/evaluation-suite.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openGate } from '../../../../test/job-runners.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { newId } from '../../../platform/ids.ts'

/** Called after scores are stored. */
let afterScores: (() => Promise<void>) | undefined
/** Called for the call of a judge, once it is paid for. */
let onJudgeCall: (() => void) | undefined

const {
  service,
  tenant,
  owner,
  editor,
  viewer,
  model,
  sent,
  received,
  storage,
  verdict,
  inProject,
  inOrganization,
  addCollection,
  addOfflineCollection,
  addJudge,
  addModel,
  addModelElsewhere,
  runsOf,
  removeOwnProject,
} = evaluationSuite({
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    async recordScores(projectId, scores) {
      const recorded = await telemetry.recordScores(projectId, scores)
      if (projectId === tenant.projectId) await afterScores?.()
      return recorded
    },
    encode(spans) {
      onJudgeCall?.()
      return telemetry.encode(spans)
    },
  }),
})
beforeEach(() => {
  afterScores = undefined
  onJudgeCall = undefined
})

const always = () => true
const everySecond = (n: number) => n % 2 === 0

/** Named t1, t2 and so on, each a minute after the one before. */
async function ingest(
  count: number,
  isAnswered: (n: number) => boolean = always,
  more: object = {},
) {
  for (let n = 1; n <= count; n += 1) {
    const started_at = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    const output = isAnswered(n) ? { text: 'In Oslo.' } : null
    const spans = [{ span_id: 'a', name: 'run', kind: 'agent', started_at, output }]
    const body = { trace_id: `t${n}`, spans, ...more }
    expect((await service.call(ingestTrace, { body }, tenant.keyHeader)).status).toBe(202)
  }
}

async function addJudges(count: number): Promise<string> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await addJudge(`Polite ${n}`))
  return await addCollection(ids)
}

const start = (body: object, as = editor) =>
  service.call(evaluateTraces, { params: inProject(), body }, as)

async function readEvaluation(jobId: string): Promise<EvaluationJob> {
  const { data } = await service.call(readJob, { params: { ...inProject(), jobId } }, viewer)
  if (data.kind !== 'evaluation') throw new Error('not an evaluation')
  return data
}

async function finished(jobId: string): Promise<EvaluationJob> {
  for (;;) {
    const job = await readEvaluation(jobId)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function run(body: object): Promise<EvaluationJob> {
  const { status, data } = await start(body)
  expect(status).toBe(202)
  return await finished(data.id)
}

/** The evaluated ones of t1 to t9. */
async function evaluated(count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, i) => `t${i + 1}`)
  const runs = await Promise.all(names.map(runsOf))
  expect(runs.every(({ length }) => length <= 1)).toBe(true)
  return names.filter((_, i) => runs[i]?.length === 1)
}

/** As after a kill of the process: the step is repeated, and what it returns is not stored. */
const loseLease = () =>
  service.query(
    `UPDATE jobs SET worker = 'killed', available_at = '2026-01-01T00:00:00.000Z'
     WHERE kind = 'evaluation' AND project_id = '${tenant.projectId}' RETURNING id`,
  )

const loseResponse = () => Promise.reject(new Unavailable('The connection was lost.', 1))

const jobs = async () => (await service.call(listJobs, { params: inProject() }, viewer)).data

describe('an evaluation of many traces', () => {
  test('evaluates every trace that matches once, and counts the results', async () => {
    await ingest(5, everySecond)
    const collection_id = await addOfflineCollection()
    const job = await run({ collection_id })
    expect(job).toMatchObject({
      ...{ kind: 'evaluation', state: 'completed', problem: null, progress: { done: 5, total: 5 } },
      created_by: tenant.members.Editor.id,
    })
    expect(job.details).toEqual({
      ...{ collection_id, model_config_id: null, filters: {}, max_traces: 1000, max_cost_usd: 1 },
      ...{ traces_evaluated: 5, traces_skipped: 0, results_passed: 2, results_failed: 3 },
      ...{ results_not_applicable: 0, results_not_scored: 0, not_scored_reason: null, cost_usd: 0 },
      ...{ ended_by: 'no_more_traces', run_id: expect.any(String) },
    })
    expect(await evaluated(5)).toHaveLength(5)
    const [first] = await runsOf('t2')
    expect(first?.runId).toBe(job.details.run_id)
    expect(first?.results).toMatchObject([{ evaluator_name: 'Answer present', passed: true }])
    expect(await jobs()).toEqual([job])
  })

  test('takes the newest traces of the filters, up to the limit', async () => {
    await ingest(6)
    const filters = { to: '2026-01-01T00:06:00Z' }
    const job = await run({ collection_id: await addOfflineCollection(), filters, max_traces: 2 })
    expect(job).toMatchObject({
      ...{ progress: { done: 2, total: 2 } },
      details: { filters, traces_evaluated: 2, ended_by: 'max_traces' },
    })
    expect(await evaluated(6)).toEqual(['t4', 't5'])
    const few = { collection_id: job.details.collection_id, filters: { ...filters, min_tokens: 0 } }
    expect((await run(few)).progress).toEqual({ done: 5, total: 5 })
  })

  test('leaves out the calls of judges, except on request', async () => {
    await ingest(2, always, { mode: 'simulation' })
    const body = { collection_id: await addJudges(1), model_config_id: await addModel() }
    expect((await run(body)).progress).toEqual({ done: 2, total: 2 })
    expect((await run(body)).progress).toEqual({ done: 2, total: 2 })
    const collection_id = await addOfflineCollection()
    const filters = { tag: ['evaluation'] }
    expect((await run({ collection_id, filters })).progress).toEqual({ done: 4, total: 4 })
  })

  test('starts no call of a judge once its calls have cost the limit', async () => {
    await ingest(8)
    const job = await run({
      collection_id: await addJudges(2),
      model_config_id: await addModel(),
      max_cost_usd: 0.004,
    })
    expect(job).toMatchObject({ state: 'completed', details: { ended_by: 'max_cost_usd' } })
    expect(job.details.cost_usd).toBeCloseTo(0.0044, 7)
    expect(sent()).toHaveLength(4)
    expect(await evaluated(8)).toEqual(['t7', 't8'])
  })

  test('with a model that reports no tokens ends at the limit too', async () => {
    await ingest(4)
    model.always({ answer: verdict, usage: null })
    const job = await run({
      collection_id: await addJudges(1),
      model_config_id: await addModel(),
      max_cost_usd: 0.0001,
    })
    expect(job.details).toMatchObject({ traces_evaluated: 3, ended_by: 'max_cost_usd' })
  })

  test('stops with the reason once the model has failed for many traces in a row', async () => {
    const most = limits.bulkEvaluationModelFailures.value
    await ingest(most + 4)
    model.always({ status: 401 })
    const job = await run({ collection_id: await addJudges(1), model_config_id: await addModel() })
    // Three traces at once.
    const counted = Math.ceil(most / 3) * 3
    expect(job).toMatchObject({
      ...{ state: 'failed', progress: { done: counted, total: most + 4 } },
      problem: expect.stringMatching(
        /^The model failed for \d+ traces .* API key \(401\).* Test the/,
      ),
      details: { results_not_scored: counted, ended_by: null },
    })
    expect(job.details.not_scored_reason).toMatch(/^Not scored: provider_error: .*\(401\)/)
    expect(sent()).toHaveLength(counted)
  })

  test.each([
    ['collection', 'The evaluator collection does not exist, or was deleted.'],
    ['model', 'The model configuration does not exist, or was deleted.'],
  ])('ends with the reason when its %s was deleted', async (what, problem) => {
    await ingest(4)
    const collection_id = await addJudges(1)
    const model_config_id = await addModel()
    const params = { ...inOrganization(), collectionId: collection_id, configId: model_config_id }
    const removal = what === 'model' ? removeModelConfig : deleteEvaluatorCollection
    storage.before = async () => {
      storage.before = undefined
      expect((await service.call(removal, { params }, owner)).status).toBe(200)
    }
    const job = await run({ collection_id, model_config_id })
    expect(job).toMatchObject({ state: 'failed', problem, progress: { done: 3, total: 4 } })
    expect(await evaluated(4)).toEqual(['t2', 't3', 't4'])
  })

  test.each([
    ['one', addOfflineCollection],
    ['several', () => addJudges(1)],
  ])('skips a trace that was removed while %s ran', async (_what, collectionOf) => {
    await ingest(3)
    storage.before = async () => {
      storage.before = undefined
      const params = { ...inProject(), traceId: 't3' }
      expect((await service.call(removeTrace, { params }, owner)).status).toBe(200)
    }
    const model_config_id = await addModel()
    const job = await run({ collection_id: await collectionOf(), model_config_id })
    expect(job.progress).toEqual({ done: 3, total: 3 })
    expect(job.details).toMatchObject({ traces_evaluated: 2, traces_skipped: 1 })
  })

  test('ends with its project', async () => {
    await ingest(3)
    storage.before = async () => {
      storage.before = undefined
      await removeOwnProject()
    }
    const { data } = await start({ collection_id: await addOfflineCollection() })
    await eventually(async () => {
      expect(await service.query(`SELECT id FROM jobs WHERE id = '${data.id}'`)).toEqual([])
    })
  })

  test.each([
    ['is interrupted', loseLease],
    ['gets an error', loseResponse],
  ])(
    'that %s after it has stored results evaluates and counts each trace once',
    async (_how, fail) => {
      await ingest(5)
      let interruptions = 0
      afterScores = async () => {
        afterScores = undefined
        interruptions += 1
        await fail()
      }
      const job = await run({
        collection_id: await addJudges(1),
        model_config_id: await addModel(),
      })
      expect(interruptions).toBe(1)
      expect(sent()).toHaveLength(5)
      expect(job.progress).toEqual({ done: 5, total: 5 })
      expect(job.details).toMatchObject({ traces_evaluated: 5, results_passed: 5 })
      expect(job.details.cost_usd).toBeCloseTo(0.0055, 7)
      expect(await evaluated(5)).toHaveLength(5)
    },
  )

  test('counts the cost of steps that are repeated for its limit', async () => {
    await ingest(1)
    onJudgeCall = () => {
      throw new Unavailable('The database is busy.', 1)
    }
    const collection_id = await addJudges(1)
    const job = await run({
      ...{ collection_id, model_config_id: await addModel(), max_cost_usd: 0.002 },
    })
    expect(job).toMatchObject({ progress: { done: 0 }, details: { ended_by: 'max_cost_usd' } })
    expect(job.details.cost_usd).toBeCloseTo(0.0022, 7)
    expect(sent()).toHaveLength(2)
    expect(await evaluated(1)).toEqual([])
  })

  test.each([
    ['stored', async () => undefined],
    [
      'stored by a step that is interrupted afterwards',
      async () => {
        afterScores = undefined
        await loseLease()
      },
    ],
  ])(
    'pays for each trace once while results cannot be stored, and counts them when they are %s',
    async (_when, after) => {
      await ingest(4)
      let failures = 0
      storage.before = async () => {
        failures += 1
        if (failures < 3) throw new Unavailable('The disk is full.', 1)
        expect(sent()).toHaveLength(3)
        storage.before = undefined
        afterScores = after
      }
      const body = { model_config_id: await addModel(), max_cost_usd: 0.004 }
      const job = await run({ collection_id: await addJudges(1), ...body })
      expect(job.details).toMatchObject({ results_passed: 4, ended_by: 'no_more_traces' })
      expect(job.details.cost_usd).toBeCloseTo(0.0044, 7)
      expect([failures, sent().length, (await evaluated(4)).length]).toEqual([3, 4, 4])
    },
  )

  test('stores results before it ends at its limit of cost', async () => {
    await ingest(2)
    storage.before = async () => {
      storage.before = undefined
      throw new Unavailable('The disk is full.', 1)
    }
    const body = { model_config_id: await addModel(), max_cost_usd: 0.001 }
    const job = await run({ collection_id: await addJudges(2), ...body })
    expect(job.details).toMatchObject({ traces_evaluated: 1, ended_by: 'max_cost_usd' })
    expect(job.details.cost_usd).toBeCloseTo(0.0022, 7)
    expect([sent().length, await evaluated(2)]).toEqual([2, ['t2']])
  })

  test('can be canceled while results cannot be stored', async () => {
    await ingest(4)
    let failures = 0
    storage.before = async () => {
      failures += 1
      throw new Unavailable('The disk is full.', 1)
    }
    const body = { collection_id: await addJudges(1), model_config_id: await addModel() }
    const { data } = await start(body)
    await eventually(() => expect(failures).toBeGreaterThan(1))
    const params = { ...inProject(), jobId: data.id }
    expect((await service.call(cancelJob, { params }, editor)).status).toBe(200)
    const { state, progress, details } = await readEvaluation(data.id)
    expect([state, progress.done, details.traces_evaluated]).toEqual(['cancelled', 0, 0])
    expect(details.cost_usd).toBeCloseTo(0.0033, 7)
    expect([sent().length, await evaluated(4)]).toEqual([3, []])
  })

  test('calls as many judges at once as it may, and no more', async () => {
    await ingest(5)
    model.always('stall')
    const body = { collection_id: await addJudges(1), model_config_id: await addModel() }
    const { data } = await start(body)
    await received(limits.bulkEvaluationCalls.value)
    expect(model.open).toBe(limits.bulkEvaluationCalls.value)
    const params = { ...inProject(), jobId: data.id }
    expect((await service.call(cancelJob, { params }, editor)).status).toBe(200)
    await model.idle()
    expect(sent()).toHaveLength(limits.bulkEvaluationCalls.value)
  })

  test('that is canceled sends nothing further, and stores no result of the traces under way', async () => {
    await ingest(6)
    const answer = { answer: verdict }
    model.play(answer, answer, answer, answer)
    model.always('stall')
    const body = { collection_id: await addJudges(1), model_config_id: await addModel() }
    const { data } = await start(body)
    await received(6)
    const params = { ...inProject(), jobId: data.id }
    expect((await service.call(cancelJob, { params }, viewer)).status).toBe(403)
    expect((await service.call(cancelJob, { params }, editor)).status).toBe(200)
    await model.idle()
    expect(sent()).toHaveLength(6)
    expect(await readEvaluation(data.id)).toMatchObject({
      ...{ state: 'cancelled', progress: { done: 3, total: 6 } },
      details: { traces_evaluated: 3, results_passed: 3, ended_by: null },
    })
    expect(await evaluated(6)).toEqual(['t4', 't5', 't6'])
  })
})

describe('POST …/evaluations', () => {
  test.each([
    ['collection_id', { collection_id: 'core' }],
    ['max_traces', { max_traces: 0 }],
    ['max_traces', { max_traces: limits.bulkEvaluationTracesMax.value + 1 }],
    ['max_cost_usd', { max_cost_usd: 0 }],
    ['max_cost_usd', { max_cost_usd: limits.bulkEvaluationUsdMax.value + 1 }],
    ['filters', { filters: { min_tokens: -1 } }],
    ['filters', { filters: { from: 'yesterday' } }],
    ['filters', { filters: { has_score: true } }],
  ])('refuses an invalid %s, with the field in the message: %j', async (field, body) => {
    const { status, error } = await start({ collection_id: await addOfflineCollection(), ...body })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(new RegExp(`^${field}`))
    expect(await jobs()).toEqual([])
  })

  test('refuses an unknown collection or model, with the field in the details', async () => {
    const collection_id = await addJudges(1)
    const offline = await addOfflineCollection()
    for (const [field, body] of [
      ['collection_id', { collection_id: newId() }],
      ['model_config_id', { collection_id, model_config_id: newId() }],
      // Of another organization, although no evaluator needs one.
      ['model_config_id', { collection_id: offline, model_config_id: await addModelElsewhere() }],
    ] as const) {
      const { error } = await start(body)
      expect(error).toMatchObject({ code: 'NOT_FOUND', details: { field } })
    }
    expect(await jobs()).toEqual([])
  })

  test('refuses filters that match no trace', async () => {
    await ingest(1)
    const filters = { environment: 'nowhere' }
    const { status, error } = await start({ collection_id: await addOfflineCollection(), filters })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(/^filters match no traces/)
    expect(await jobs()).toEqual([])
  })

  test('refuses a collection whose evaluators were all deleted', async () => {
    await ingest(1)
    const collection_id = await addJudges(1)
    const { data } = await service.call(listEvaluators, { params: inOrganization() }, owner)
    const params = { ...inOrganization(), evaluatorId: data.find((one) => !one.is_default)!.id }
    expect((await service.call(deleteEvaluator, { params }, owner)).status).toBe(200)
    const { status, error } = await start({ collection_id })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(/^collection_id has no evaluators/)
    expect(await jobs()).toEqual([])
  })

  test('requires a model with a known price for a collection with a judge', async () => {
    const collection_id = await addJudges(1)
    for (const model_config_id of [undefined, await addModel(unpriced)]) {
      const { error } = await start({ collection_id, model_config_id })
      expect(error.code).toBe('VALIDATION_ERROR')
      expect(error.message).toMatch(/^model_config_id /)
    }
    expect(await jobs()).toEqual([])
  })

  test('refuses Viewers, and a second evaluation while one is active', async () => {
    await ingest(1)
    const collection_id = await addOfflineCollection()
    expect((await start({ collection_id }, viewer)).error.code).toBe('FORBIDDEN')
    expect(await jobs()).toEqual([])
    const gate = openGate()
    storage.before = () => gate.passed
    const { data } = await start({ collection_id })
    expect((await start({ collection_id })).error.code).toBe('CONFLICT')
    gate.open()
    expect(await finished(data.id)).toMatchObject({ state: 'completed' })
    expect(await jobs()).toHaveLength(1)
  })
})
