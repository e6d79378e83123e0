import { evaluateTraces } from '@assay/contract/bulk-evaluations.ts'
import {
  createEvaluationRule,
  type EvaluationRule,
  listEvaluationRules,
  removeEvaluationRule,
  updateEvaluationRule,
} from '@assay/contract/evaluation-rules.ts'
import { deleteEvaluator, deleteEvaluatorCollection } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listJobs } from '@assay/contract/jobs.ts'
import { limits } from '@assay/contract/limits.ts'
import { removeModelConfig } from '@assay/contract/model-configs.ts'
import { createProject } from '@assay/contract/organizations.ts'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { evaluationSuite, unpriced } from '../../../../test/evaluation-suite.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openGate } from '../../../../test/job-runners.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { newId } from '../../../platform/ids.ts'
import type { Requester } from '../../../platform/requester.ts'

/** Replaces the number of traces that wait. */
let backlog: number | undefined
/** A project whose traces cannot be read. */
let unreadable: string | undefined
/** Of the reads of evaluations. */
let readers: (Requester | undefined)[] = []

const {
  service,
  tenant,
  owner,
  editor,
  viewer,
  sent,
  storage,
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
  evaluationDelayMs: 0,
  wrapTelemetry: (telemetry) => ({
    ...telemetry,
    // A commit to the files of a test takes no time.
    listedWithinMs: () => (inject('isScaled') ? telemetry.listedWithinMs() : 0),
    findScoreRun(projectId, traceId, runId, options) {
      readers.push(options?.requester)
      return telemetry.findScoreRun(projectId, traceId, runId, options)
    },
    readSpansJson(projectId, traceId, query, options) {
      readers.push(options?.requester)
      return telemetry.readSpansJson(projectId, traceId, query, options)
    },
    async listSettledTraces(projectId, query, options) {
      readers.push(options?.requester)
      if (projectId === unreadable) throw new Unavailable('The query took too long.', 1)
      const page = await telemetry.listSettledTraces(projectId, query, options)
      return { ...page, remaining: backlog ?? page.remaining }
    },
  }),
})
beforeEach(() => {
  backlog = undefined
  unreadable = undefined
  readers = []
})

async function ingest(traceId: string, more: object = {}, spanId = 'a') {
  const started_at = new Date().toISOString()
  const parent = spanId === 'a' ? {} : { parent_span_id: 'a' }
  const output = { text: 'In Oslo.' }
  const spans = [{ span_id: spanId, name: 'run', kind: 'agent', started_at, output, ...parent }]
  const body = { trace_id: traceId, spans, ...more }
  expect((await service.call(ingestTrace, { body }, tenant.keyHeader)).status).toBe(202)
}

async function addJudgeCollection() {
  const evaluatorId = await addJudge()
  return { evaluatorId, collection_id: await addCollection([evaluatorId]) }
}

const create = (body: object, as = editor) =>
  service.call(createEvaluationRule, { params: inProject(), body: { name: 'New', ...body } }, as)
const change = (ruleId: string, body: object, as = editor) =>
  service.call(updateEvaluationRule, { params: { ...inProject(), ruleId }, body }, as)
const remove = (ruleId: string, as = editor) =>
  service.call(removeEvaluationRule, { params: { ...inProject(), ruleId } }, as)
const rules = async () =>
  (await service.call(listEvaluationRules, { params: inProject() }, viewer)).data

async function created(body: object): Promise<EvaluationRule> {
  const { status, data } = await create(body)
  expect(status).toBe(201)
  return data
}

/** The state of the rule once it is as expected. */
const reaches = (ruleId: string, state: Partial<EvaluationRule['state']>) =>
  eventually(async () => {
    const rule = (await rules()).find(({ id }) => id === ruleId)
    expect(rule?.state).toMatchObject(state)
    return rule!.state
  })

/** Once the rule has decided about all traces that are stored now. */
async function caughtUp(ruleId: string) {
  const { traces } = await service.telemetry.listTraces(tenant.projectId, {
    limit: 99,
    filters: {},
  })
  const last = Math.max(...traces.map(({ updatedAt }) => Number(updatedAt / 1_000_000n)))
  return await eventually(async () => {
    const rule = (await rules()).find(({ id }) => id === ruleId)
    expect(Date.parse(rule?.state.checked_until ?? '')).toBeGreaterThanOrEqual(last)
    return rule!.state
  })
}

const events = async () => {
  const found = await service.query(
    `SELECT action, details FROM audit_log WHERE organization_id = '${tenant.organizationId}'
     AND action LIKE 'evaluation_rule.%' ORDER BY id`,
  )
  return found.map(({ action, details }) => [action, JSON.parse(String(details))])
}

describe('an evaluation rule', () => {
  test('evaluates each trace that arrives once, and counts it', async () => {
    await ingest('before')
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await ingest('t2')
    const state = await reaches(id, { evaluated_total: 2 })
    expect(state).toMatchObject({
      ...{ status: 'active', problem: null, evaluated_today: 2, skipped_total: 0 },
      ...{ cost_usd_total: 0, last_evaluated_at: expect.any(String) },
    })
    for (const traceId of ['t1', 't2']) {
      expect(await runsOf(traceId)).toMatchObject([
        { scoredCount: 1, results: [{ evaluator_name: 'Answer present', passed: true }] },
      ])
    }
    expect(await runsOf('before')).toEqual([])
    const jobs = await service.call(listJobs, { params: inProject() }, viewer)
    expect(jobs.data).toEqual([])
  })

  test('evaluates a trace only once, also when spans arrive later', async () => {
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await reaches(id, { evaluated_total: 1 })
    await ingest('t1', {}, 'b')
    await ingest('t2')
    await reaches(id, { evaluated_total: 2 })
    expect(await caughtUp(id)).toMatchObject({ evaluated_total: 2, skipped_total: 0 })
    expect(await runsOf('t1')).toHaveLength(1)
  })

  test('evaluates a trace without the end of its root only when it arrives', async () => {
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1', {}, 'b')
    await ingest('t2')
    await reaches(id, { evaluated_total: 1 })
    expect(await runsOf('t1')).toEqual([])
    await ingest('t1')
    await reaches(id, { evaluated_total: 2 })
    expect(await runsOf('t1')).toHaveLength(1)
  })

  test('evaluates traces of its filters only', async () => {
    const filters = { environment: 'prod', tag: ['vip'] }
    const { id } = await created({ collection_id: await addOfflineCollection(), filters })
    await ingest('t1', { environment: 'prod' })
    await ingest('t2', { environment: 'dev', tags: ['vip'] })
    await ingest('t3', { environment: 'prod', tags: ['vip', 'new'] })
    await reaches(id, { evaluated_total: 1 })
    expect((await caughtUp(id)).skipped_total).toBe(0)
    expect([await runsOf('t1'), await runsOf('t2')]).toEqual([[], []])
    expect(await runsOf('t3')).toHaveLength(1)
  })

  test('is created, listed and run without loading evaluators of other collections', async () => {
    const collection_id = await addOfflineCollection()
    const { evaluatorId } = await addJudgeCollection()
    await service.query(`UPDATE evaluators SET tags = 'unreadable' WHERE id = '${evaluatorId}'`)
    const { id } = await created({ collection_id })
    await ingest('t1')
    const state = await reaches(id, { evaluated_total: 1 })
    expect(state).toMatchObject({ status: 'active', skipped_total: 0 })
  })

  test('of whichever project takes turns as its organization, together with evaluations of many traces', async () => {
    const collection_id = await addOfflineCollection()
    const body = { name: 'Second' }
    const second = await service.call(createProject, { params: inOrganization(), body }, owner)
    const inSecond = { params: { projectId: second.data.id }, body: { name: 'New', collection_id } }
    expect((await service.call(createEvaluationRule, inSecond, owner)).status).toBe(201)
    await ingest('t1')
    const evaluation = { params: inProject(), body: { collection_id } }
    expect((await service.call(evaluateTraces, evaluation, editor)).status).toBe(202)
    const { id } = await created({ collection_id })
    await ingest('t2')
    await reaches(id, { evaluated_total: 1 })
    await eventually(async () => expect(await runsOf('t1')).toHaveLength(1))
    const owners = new Set(readers.map((requester) => requester?.[0]))
    const own = [...owners].filter((one) => one?.includes(tenant.organizationId))
    expect(own).toEqual([expect.not.stringMatching(`^${tenant.organizationId}$`)])
    expect([...owners].join()).not.toMatch(tenant.projectId)
    expect(owners).not.toContain(undefined)
  })

  test('never evaluates the calls of judges', async () => {
    const own = await created({ collection_id: await addOfflineCollection() })
    const { collection_id } = await addJudgeCollection()
    const { id } = await created({ collection_id, model_config_id: await addModel() })
    await ingest('t1')
    const { cost_usd_total } = await reaches(id, { evaluated_total: 1 })
    expect(cost_usd_total).toBeCloseTo(0.0011, 7)
    await eventually(async () => {
      const query = { limit: 9, filters: { mode: 'simulation' } } as const
      expect((await service.telemetry.listTraces(tenant.projectId, query)).traces).toHaveLength(1)
    })
    expect((await caughtUp(id)).evaluated_total).toBe(1)
    expect((await caughtUp(own.id)).evaluated_total).toBe(1)
  })

  test('evaluates nothing while it is disabled, nor later what arrived meanwhile', async () => {
    const collection_id = await addOfflineCollection()
    const other = await created({ collection_id })
    const { id, state } = await created({ collection_id, is_enabled: false })
    expect(state.status).toBe('disabled')
    await ingest('t1')
    await reaches(other.id, { evaluated_total: 1 })
    await change(id, { is_enabled: true })
    await ingest('t2')
    await reaches(id, { status: 'active', evaluated_total: 1 })
    expect(await runsOf('t1')).toHaveLength(1)
    await change(id, { is_enabled: false })
    await ingest('t3')
    await reaches(other.id, { evaluated_total: 3 })
    expect(await reaches(id, { status: 'disabled' })).toMatchObject({ evaluated_total: 1 })
  })

  test('does not delay ingestion or reads', async () => {
    const gate = openGate()
    const started = openGate()
    storage.before = () => {
      started.open()
      return gate.passed
    }
    const { id } = await created({ collection_id: await addOfflineCollection() })
    await ingest('t1')
    await started.passed
    await ingest('t2')
    expect(await runsOf('t2')).toEqual([])
    expect((await rules())[0]?.state.evaluated_total).toBe(0)
    gate.open()
    await reaches(id, { evaluated_total: 2 })
  })

  test('stops calling models once they have cost the limit of the day, and counts what it skips', async () => {
    const { collection_id } = await addJudgeCollection()
    const model_config_id = await addModel()
    const { id } = await created({ collection_id, model_config_id, max_cost_usd_per_day: 0.002 })
    for (const traceId of ['t1', 't2', 't3', 't4']) await ingest(traceId)
    const state = await reaches(id, { evaluated_total: 2, skipped_total: 2 })
    expect(state).toMatchObject({ status: 'daily_cost_reached', skipped_today: 2 })
    expect(state.cost_usd_today).toBeCloseTo(0.0022, 7)
    expect(sent()).toHaveLength(2)
    // With the traces of the judge's calls, which it passes over: its progress would replace the change.
    await caughtUp(id)
    await service.query(
      `UPDATE evaluation_rules SET counted_day = '2026-01-01' WHERE id = '${id}' RETURNING id`,
    )
    await ingest('t5')
    await reaches(id, { status: 'active', evaluated_today: 1, evaluated_total: 3 })
  })

  test('does not wait for one of a project whose traces cannot be read', async () => {
    const collection_id = await addOfflineCollection()
    const args = { params: inOrganization(), body: { name: 'Second' } }
    const projectId = (await service.call(createProject, args, owner)).data.id
    const first = { params: { projectId }, body: { name: 'First', collection_id } }
    expect((await service.call(createEvaluationRule, first, owner)).status).toBe(201)
    unreadable = projectId
    const { id } = await created({ collection_id })
    await ingest('t1')
    await reaches(id, { evaluated_total: 1 })
  })

  test('skips the oldest traces while too many wait, and counts them', async () => {
    const { id } = await created({ collection_id: await addOfflineCollection() })
    backlog = limits.evaluationRuleBacklog.value
    await ingest('t1')
    await reaches(id, { skipped_total: 0, evaluated_total: 1 })
    backlog += 1
    // It changes, and was evaluated before.
    await ingest('t1')
    await caughtUp(id)
    await ingest('t2')
    await reaches(id, { skipped_total: 1, evaluated_total: 1 })
    backlog = undefined
    await ingest('t3')
    await reaches(id, { skipped_total: 1, evaluated_total: 2 })
    expect(await runsOf('t2')).toEqual([])
  })

  test('evaluates a trace that is moved into its project, unless it is older than the rule', async () => {
    const elsewhere = newId()
    const record = async (traceId: string) => {
      await ingest(traceId)
      await service.telemetry.moveTraces(elsewhere, tenant.projectId, [traceId])
    }
    await record('old')
    const { id } = await created({ collection_id: await addOfflineCollection(), sample_rate: 1 })
    await change(id, { filters: { status: 'ERROR' } })
    await record('new')
    await change(id, { filters: {} })
    for (const traceId of ['old', 'new']) {
      expect(await service.telemetry.moveTraces(tenant.projectId, elsewhere, [traceId])).toEqual([
        'adopted',
      ])
    }
    await reaches(id, { evaluated_total: 1 })
    expect((await caughtUp(id)).evaluated_total).toBe(1)
    expect(await runsOf('old')).toEqual([])
  })
})

describe('a rule that cannot run', () => {
  test.each([
    ['collection was deleted', /collection was deleted/],
    ['collection became empty', /no evaluators/],
    ['model was deleted', /model was deleted/],
  ])(
    'because its %s is stopped with the reason, and continues when that is corrected',
    async (cause, problem) => {
      const { evaluatorId, collection_id } = await addJudgeCollection()
      const model_config_id = await addModel()
      const { id } = await created({ collection_id, model_config_id })
      const params = {
        ...{ ...inOrganization(), collectionId: collection_id, evaluatorId },
        configId: model_config_id,
      }
      if (cause.startsWith('model')) await service.call(removeModelConfig, { params }, owner)
      else if (cause.endsWith('empty')) await service.call(deleteEvaluator, { params }, owner)
      else await service.call(deleteEvaluatorCollection, { params }, owner)
      const [stopped] = await rules()
      expect(stopped?.state).toMatchObject({ status: 'stopped' })
      expect(stopped?.state.problem).toMatch(problem)
      await ingest('t1')
      expect((await change(id, { name: 'Renamed' })).data.state.status).toBe('stopped')
      await change(id, { collection_id: await addOfflineCollection(), model_config_id: null })
      await reaches(id, { status: 'active', problem: null, evaluated_total: 1 })
    },
  )
})

describe('POST and PATCH …/evaluation-rules', () => {
  const invalid: readonly [string, object][] = [
    ['name', { name: '' }],
    ['collection_id', { collection_id: 'core' }],
    ['sample_rate', { sample_rate: 0 }],
    ['sample_rate', { sample_rate: 1.1 }],
    ['max_cost_usd_per_day', { max_cost_usd_per_day: 0 }],
    ['max_cost_usd_per_day', { max_cost_usd_per_day: limits.evaluationRuleUsdMax.value + 1 }],
    ['filters', { filters: { q: 'oslo' } }],
    ['filters', { filters: { not_attribute: 'a=b' } }],
    ['filters', { filters: { has_score: 'true' } }],
    ['filters', { filters: { passed: 'false' } }],
    ['filters', { filters: { min_tokens: -1 } }],
    ['is_enabled', { is_enabled: 'yes' }],
  ]
  test.each(invalid)('refuse an invalid %s and name it: %j', async (field, body) => {
    const collection_id = await addOfflineCollection()
    const rule = await created({ collection_id })
    for (const refused of [create({ collection_id, ...body }), change(rule.id, body)]) {
      const { status, error } = await refused
      expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(error.message).toMatch(new RegExp(`^${field}`))
    }
    expect(await rules()).toEqual([rule])
  })

  test('refuse an unknown collection or model', async () => {
    const { collection_id } = await addJudgeCollection()
    const offline = await addOfflineCollection()
    const rule = await created({ collection_id: offline })
    const foreign = await addModelElsewhere()
    for (const body of [
      { collection_id: newId() },
      { collection_id, model_config_id: newId() },
      { collection_id, model_config_id: foreign },
      { collection_id: offline, model_config_id: foreign },
    ]) {
      expect((await create(body)).error.code).toBe('NOT_FOUND')
      expect((await change(rule.id, body)).error.code).toBe('NOT_FOUND')
    }
    expect(await rules()).toEqual([rule])
  })

  test('refuse a collection whose evaluators were all deleted', async () => {
    const { evaluatorId, collection_id } = await addJudgeCollection()
    const rule = await created({ collection_id: await addOfflineCollection() })
    const params = { ...inOrganization(), evaluatorId }
    expect((await service.call(deleteEvaluator, { params }, owner)).status).toBe(200)
    for (const refused of [create({ collection_id }), change(rule.id, { collection_id })]) {
      const { status, error } = await refused
      expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(error.message).toMatch(/^collection_id has no evaluators/)
    }
    expect(await rules()).toEqual([rule])
  })

  test('require a model with a known price for a collection with a judge', async () => {
    const { collection_id } = await addJudgeCollection()
    const rule = await created({ collection_id: await addOfflineCollection() })
    for (const model_config_id of [null, await addModel(unpriced)]) {
      for (const refused of [
        create({ collection_id, model_config_id }),
        change(rule.id, { collection_id, model_config_id }),
      ]) {
        const { error } = await refused
        expect(error.code).toBe('VALIDATION_ERROR')
        expect(error.message).toMatch(/^model_config_id /)
      }
    }
    expect(await rules()).toEqual([rule])
  })

  test('refuse Viewers, who can read the rules', async () => {
    const collection_id = await addOfflineCollection()
    const rule = await created({ collection_id })
    for (const refused of [
      create({ collection_id }, viewer),
      change(rule.id, { name: 'Mine' }, viewer),
      remove(rule.id, viewer),
    ]) {
      expect((await refused).error.code).toBe('FORBIDDEN')
    }
    expect(await rules()).toEqual([rule])
  })

  test('limit the rules of a project', async () => {
    const collection_id = await addOfflineCollection()
    const count = limits.evaluationRulesPerProject.value
    for (let n = 0; n < count; n += 1) await created({ collection_id, is_enabled: false })
    const { error } = await create({ collection_id })
    expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/20 rules/) })
    expect(await rules()).toHaveLength(count)
  })

  test('record who changed which members, and nothing for a change without an effect', async () => {
    const collection_id = await addOfflineCollection()
    const filters = { status: 'ERROR' }
    const { id } = await created({ collection_id, filters })
    const project_id = tenant.projectId
    const { data } = await change(id, { name: 'Errors', sample_rate: 0.5 })
    expect(data).toMatchObject({ name: 'Errors', sample_rate: 0.5, filters })
    const same = { name: 'Errors', filters, is_enabled: true }
    expect((await change(id, same)).data).toEqual(data)
    expect((await remove(id)).data).toEqual({ status: 'removed' })
    expect(await events()).toEqual([
      ['evaluation_rule.created', { project_id, name: 'New' }],
      ['evaluation_rule.updated', { project_id, name: 'Errors', changed: ['name', 'sample_rate'] }],
      ['evaluation_rule.removed', { project_id, name: 'Errors' }],
    ])
    expect(await rules()).toEqual([])
  })

  test('do not find a rule of another project, or one that was deleted', async () => {
    const other = await service.addTenant()
    const theirs = await service.signedIn(other.members.Owner)
    const rule = await created({ collection_id: await addOfflineCollection() })
    const params = { projectId: other.projectId, ruleId: rule.id }
    for (const declared of [updateEvaluationRule, removeEvaluationRule]) {
      const { error } = await service.call(declared, { params, body: { name: 'Mine' } }, theirs)
      expect(error.code).toBe('NOT_FOUND')
    }
    expect(await rules()).toEqual([rule])
    await remove(rule.id)
    expect((await remove(rule.id)).error.code).toBe('NOT_FOUND')
    expect((await change(rule.id, { name: 'Mine' })).error.code).toBe('NOT_FOUND')
  })
})

test('rules are deleted with their project', async () => {
  await created({ collection_id: await addOfflineCollection() })
  await removeOwnProject()
  expect(
    await service.query(`SELECT id FROM evaluation_rules WHERE project_id = '${tenant.projectId}'`),
  ).toEqual([])
})
