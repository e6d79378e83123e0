import {
  type EvaluationRun,
  evaluateTrace,
  listEvaluationRuns,
} from '@assay/contract/evaluations.ts'
import {
  createEvaluator,
  createEvaluatorCollection,
  deleteEvaluator,
  deleteEvaluatorCollection,
  type Evaluator,
  listEvaluatorCollections,
  listEvaluators,
  updateEvaluator,
  updateEvaluatorCollection,
} from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newId, newOrderedId } from '../../platform/ids.ts'
import { readSiblings, readWholeTrace } from './read-trace.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const other = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const otherOwner = signedInPerTest(service, () => other.members.Owner)

const inOrganization = () => ({ orgId: tenant.organizationId })
const fields = { name: 'Polite', category: 'quality', prompt_template: 'Is {{output}} polite?' }
const create = (body: object = fields, as = editor) =>
  service.call(createEvaluator, { params: inOrganization(), body }, as)
const list = async () =>
  (await service.call(listEvaluators, { params: inOrganization() }, viewer)).data
const ownOf = async () => (await list()).filter((one) => !one.is_default)
const builtIn = async (key: string) => (await list()).find((one) => one.key === key)!

describe('evaluators', () => {
  test('of the organization are listed after those built in', async () => {
    const { status, data } = await create()
    expect(status).toBe(201)
    expect(data).toMatchObject({
      ...fields,
      ...{ organization_id: tenant.organizationId, key: null, description: '', tags: [] },
      ...{ eval_type: 'model_judge', threshold: 0.7, reads: ['output'], is_default: false },
    })
    const all = await list()
    expect(all.at(-1)).toEqual(data)
    expect(all[0]).toMatchObject({
      ...{ key: 'quality.output-present', is_default: true, prompt_template: null },
      ...{ organization_id: tenant.organizationId, eval_type: 'offline_deterministic' },
    })
    const query = { category: 'agent' }
    const agent = await service.call(listEvaluators, { params: inOrganization(), query }, viewer)
    expect(new Set(agent.data.map(({ category }) => category))).toEqual(new Set(['agent']))
  })

  test('of an unknown category are refused', async () => {
    const query = { category: 'astrology' }
    const { error } = await service.call(
      listEvaluators,
      { params: inOrganization(), query },
      viewer,
    )
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(error.message).toContain('category')
  })

  test.each([
    [{ name: '' }, 'name must not be empty'],
    [{ category: 'taste' }, 'category'],
    [{ description: 'x'.repeat(2001) }, 'description'],
    [{ tags: Array.from({ length: 21 }, () => 'a') }, 'tags'],
    [{ tags: [''] }, 'tags[0]'],
    [
      { prompt_template: 'Is it polite?' },
      'prompt_template must contain at least one of {{trace}}',
    ],
    [{ prompt_template: `{{input}}${'x'.repeat(24_000)}` }, 'prompt_template'],
    [{ threshold: 2 }, 'threshold'],
    [{ threshold: 0 }, 'threshold must be more than 0'],
  ])('with %j are refused by the name of the field', async (wrong, message) => {
    const { status, error } = await create({ ...fields, ...wrong })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toContain(message)
    expect(await ownOf()).toEqual([])
  })

  test('are changed and deleted by those who may, in their organization', async () => {
    const { data } = await create()
    const params = { ...inOrganization(), evaluatorId: data.id }
    const patch = (body: object, as = editor) => service.call(updateEvaluator, { params, body }, as)
    expect((await patch({ tags: ['tone'] })).data).toEqual({ ...data, tags: ['tone'] })
    expect((await patch({})).error.message).toBe('The body must have a field to change')
    expect((await ownOf())[0]).toEqual({ ...data, tags: ['tone'] })
    expect((await patch({ name: 'x' }, viewer)).error.code).toBe('FORBIDDEN')
    expect((await create(fields, viewer)).error.code).toBe('FORBIDDEN')
    const elsewhere = { orgId: other.organizationId, evaluatorId: data.id }
    const remove = () => service.call(deleteEvaluator, { params }, editor)
    const theirs = { params: elsewhere, body: { name: 'Theirs' } }
    for (const declared of [updateEvaluator, deleteEvaluator])
      expect((await service.call(declared, theirs, otherOwner)).error.code).toBe('NOT_FOUND')
    expect(await ownOf()).toEqual([{ ...data, tags: ['tone'] }])
    expect((await remove()).data).toEqual({ deleted: true })
    expect((await remove()).error.code).toBe('NOT_FOUND')
  })

  test('that are built in cannot be changed or deleted', async () => {
    const params = { ...inOrganization(), evaluatorId: (await list())[0]?.id }
    const body = { name: 'Mine' }
    expect((await service.call(updateEvaluator, { params, body }, editor)).status).toBe(403)
    expect((await service.call(deleteEvaluator, { params }, editor)).status).toBe(403)
    expect((await list())[0]?.name).toBe('Answer present')
  })

  test('are limited in number', async () => {
    const row = { ...fields, organization_id: tenant.organizationId, description: '', tags: '[]' }
    await service.accounts.transaction(async ({ evaluators }) => {
      for (let n = 0; n < limits.evaluatorsPerOrganization.value; n += 1)
        await evaluators.insert({ ...row, id: newOrderedId(), threshold: 0.5, created_at: '' })
    })
    expect((await create()).error.code).toBe('CONFLICT')
  })
})

const collections = async () =>
  (await service.call(listEvaluatorCollections, { params: inOrganization() }, viewer)).data
const collect = (evaluator_ids: readonly unknown[], as = editor) =>
  service.call(
    createEvaluatorCollection,
    { params: inOrganization(), body: { name: 'Mine', evaluator_ids } },
    as,
  )

/** Collections have evaluators without their texts. */
const inCollection = (one: Evaluator | undefined) => {
  const { description: _, prompt_template: __, accuracy: ___, ...rest } = one!
  return rest
}

describe('collections', () => {
  test('keep their order, and have the evaluators in full', async () => {
    const [first, second] = await list()
    const own = (await create()).data
    const ids = [second?.id, own.id, first?.id]
    const { status, data } = await collect(ids)
    expect([status, data.evaluator_ids]).toEqual([201, ids])
    expect(data.evaluators).toEqual([second, own, first].map(inCollection))
    expect((await collections()).at(-1)).toEqual(data)
    expect((await collections())[0]).toMatchObject({ name: 'Core offline', is_default: true })
  })

  test('are limited in number', async () => {
    const row = { organization_id: tenant.organizationId, name: 'Mine', description: '' }
    await service.accounts.transaction(async ({ evaluatorCollections }) => {
      for (let n = 0; n < limits.collectionsPerOrganization.value; n += 1) {
        const collection = { ...row, id: newOrderedId(), created_at: '', evaluatorIds: [] }
        await evaluatorCollections.insert(collection)
      }
    })
    const [first] = await list()
    expect((await collect([first?.id])).error.code).toBe('CONFLICT')
  })

  test('lose an evaluator that is deleted', async () => {
    const own = (await create()).data
    const [first] = await list()
    await collect([own.id, first?.id])
    const params = { ...inOrganization(), evaluatorId: own.id }
    await service.call(deleteEvaluator, { params }, editor)
    expect((await collections()).at(-1)?.evaluator_ids).toEqual([first?.id])
  })

  test('with an evaluator that does not exist, or of another organization, are the 500 of the specification', async () => {
    const params = { orgId: other.organizationId }
    const foreign = await service.call(createEvaluator, { params, body: fields }, otherOwner)
    for (const id of [newId(), foreign.data.id]) {
      const { status, error } = await collect([id])
      expect([status, error.code]).toEqual([500, 'INTERNAL_ERROR'])
    }
    expect((await collections()).every((one) => one.is_default)).toBe(true)
  })

  test.each([
    ['none', () => []],
    ['one twice', (id: string) => [id, id]],
    ['too many', () => Array.from({ length: 51 }, () => newId())],
    ['no UUID', () => ['quality.output-present']],
  ])('with %s are refused', async (_what, idsOf) => {
    const [first] = await list()
    expect((await collect(idsOf(first!.id))).error.code).toBe('VALIDATION_ERROR')
    expect((await collections()).every((one) => one.is_default)).toBe(true)
  })

  test('are changed and deleted, but not those built in', async () => {
    const [first, second] = await list()
    const { data } = await collect([first?.id])
    const params = { ...inOrganization(), collectionId: data.id }
    const body = { evaluator_ids: [second?.id], description: 'Fast.' }
    const changed = await service.call(updateEvaluatorCollection, { params, body }, editor)
    expect(changed.data).toEqual({ ...data, ...body, evaluators: [inCollection(second)] })
    expect((await collections()).at(-1)).toEqual(changed.data)
    const theirs = {
      params: { ...params, orgId: other.organizationId },
      body: { name: 'Theirs' },
    }
    for (const declared of [updateEvaluatorCollection, deleteEvaluatorCollection])
      expect((await service.call(declared, theirs, otherOwner)).error.code).toBe('NOT_FOUND')
    expect((await collections()).at(-1)).toEqual(changed.data)
    const [core] = await collections()
    const ofCore = { ...params, collectionId: core?.id }
    for (const declared of [updateEvaluatorCollection, deleteEvaluatorCollection])
      expect(
        (await service.call(declared, { params: ofCore, body: { name: 'x' } }, editor)).status,
      ).toBe(403)
    const remove = () => service.call(deleteEvaluatorCollection, { params }, editor)
    expect((await remove()).data).toEqual({ deleted: true })
    expect((await remove()).error.code).toBe('NOT_FOUND')
  })
})

describe('an evaluation', () => {
  beforeEach(async () => {
    const started_at = '2026-01-01T00:00:00Z'
    const failed = { status: 'ERROR', status_message: 'no network' }
    const spans = [
      { span_id: 'a', name: 'run', kind: 'agent', started_at, output: { text: 'In Oslo.' } },
      { span_id: 'b', parent_span_id: 'a', name: 'find', kind: 'tool', started_at, ...failed },
    ]
    await service.call(ingestTrace, { body: { trace_id: 't', spans } }, tenant.keyHeader)
  })

  const inTrace = (traceId = 't') => ({ projectId: tenant.projectId, traceId })
  const evaluate = (body: object, as = editor, params = inTrace()) =>
    service.call(evaluateTrace, { params, body }, as)
  const runs = async (): Promise<readonly EvaluationRun[]> =>
    (await service.call(listEvaluationRuns, { params: inTrace() }, viewer)).data
  const threeOf = async () => {
    const keys = ['performance.latency', 'agent.tool-success', 'quality.output-present']
    const ids = await Promise.all(keys.map(async (key) => (await builtIn(key)).id))
    return (await collect(ids)).data
  }

  test('has a result of each evaluator in the order of the collection, and is stored', async () => {
    const { status, data } = await evaluate({ collection_id: (await threeOf()).id })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      ...{ scoredCount: 3, notApplicableCount: 0, errorCount: 0 },
      ...{ averageScore: 2 / 3, passRate: 2 / 3 },
    })
    expect(data.results.map(({ evaluator_name, passed }) => [evaluator_name, passed])).toEqual([
      ['Latency within budget', true],
      ['Tool calls succeed', false],
      ['Answer present', true],
    ])
    expect(data.results[1]).toMatchObject({
      ...{ status: 'scored', score: 0, issues: ['find failed: no network'] },
      ...{ evidence: [{ span_id: 'b', quote: 'no network' }], run_id: data.runId },
    })
    expect(await runs()).toEqual([data])
  })

  test('is listed with the four before it, newest first', async () => {
    const { id } = await threeOf()
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.unshift((await evaluate({ collection_id: id })).data.runId)
    expect((await runs()).map(({ runId }) => runId)).toEqual(ids.slice(0, 5))
  })

  test('of a collection with a judge needs a model that the organization has', async () => {
    const judge = (await create()).data
    const collection_id = (await collect([judge.id])).data.id
    for (const body of [{ collection_id }, { collection_id, model_config_id: newId() }]) {
      const { status, error } = await evaluate(body)
      expect([status, error.code]).toEqual([500, 'INTERNAL_ERROR'])
    }
    expect(await runs()).toEqual([])
  })

  test('of a collection whose evaluators were all deleted is refused', async () => {
    const own = (await create()).data
    const collection_id = (await collect([own.id])).data.id
    const params = { ...inOrganization(), evaluatorId: own.id }
    expect((await service.call(deleteEvaluator, { params }, editor)).status).toBe(200)
    const { status, error } = await evaluate({ collection_id })
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error.message).toMatch(/^collection_id has no evaluators/)
    expect(await runs()).toEqual([])
  })

  test('of an unknown trace or collection, or by a Viewer, is refused', async () => {
    const { id: collection_id } = await threeOf()
    expect((await evaluate({ collection_id }, editor, inTrace('no'))).error.code).toBe('NOT_FOUND')
    expect((await evaluate({ collection_id: newId() })).error.code).toBe('NOT_FOUND')
    expect((await evaluate({ collection_id }, viewer)).error.code).toBe('FORBIDDEN')
    expect((await evaluate({ collection_id: 'core' })).error.code).toBe('VALIDATION_ERROR')
    expect(await runs()).toEqual([])
    const unknown = await service.call(listEvaluationRuns, { params: inTrace('no') }, viewer)
    expect(unknown.error.code).toBe('NOT_FOUND')
  })
})

test('a trace is compared with those that have any of its eval:pair tags', async () => {
  const ingest = async (trace_id: string, tags: readonly string[], day: number) => {
    const spans = [{ span_id: 'a', name: 'run', started_at: `2026-01-0${day}T00:00:00Z` }]
    await service.call(ingestTrace, { body: { trace_id, tags, spans } }, tenant.keyHeader)
  }
  await ingest('t', ['eval:pair=names', 'eval:pair=ages'], 3)
  await ingest('of names', ['eval:pair=names'], 2)
  await ingest('of both', ['eval:pair=names', 'eval:pair=ages'], 4)
  await ingest('of ages', ['eval:pair=ages'], 1)
  await ingest('of neither', ['eval:pair=other'], 1)
  const options = { requester: ['acme', 'ada'], signal: new AbortController().signal } as const
  const whole = await readWholeTrace(service.telemetry, tenant.projectId, 't', options)
  if (whole === undefined || whole === 'too large') throw new Error('the trace is not stored')
  const siblings = await readSiblings(service.telemetry, tenant.projectId, whole.trace, options)
  expect(siblings.map(({ trace }) => trace.trace_id)).toEqual(['of ages', 'of names', 'of both'])
})
