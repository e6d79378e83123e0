import { listAuditLog } from '@assay/contract/audit-log.ts'
import { createEvaluator, deleteEvaluator } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createReviewQueue,
  listReviewQueues,
  openReviewItem,
  removeReviewQueue,
  reviewTrace,
} from '@assay/contract/review-queues.ts'
import { listScores } from '@assay/contract/scores.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { listBuiltIn } from '../../evaluators/built-in.ts'
import { allOfPerson } from '../../storage/telemetry/port/score-samples.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)

const inProject = () => ({ projectId: tenant.projectId })
const create = (body: object = {}, as = editor) =>
  service.call(
    createReviewQueue,
    { params: inProject(), body: { name: 'Refunds', score_name: 'Helpful', ...body } },
    as,
  )
const list = async () =>
  (await service.call(listReviewQueues, { params: inProject() }, viewer)).data
const open = (queueId: string, body: object = {}, as = editor) =>
  service.call(openReviewItem, { params: { ...inProject(), queueId }, body }, as)
const review = (queueId: string, body: object, as = editor) =>
  service.call(
    reviewTrace,
    { params: { ...inProject(), queueId }, body: { position: 1, score: 1, ...body } },
    as,
  )
const scores = async (traceId: string) =>
  (await service.call(listScores, { params: { ...inProject(), traceId } }, viewer)).data

beforeEach(async () => {
  for (const [n, trace_id] of ['a', 'b', 'c'].entries()) {
    const spans = [{ span_id: 's', name: 'run', started_at: `2026-01-0${n + 1}T00:00:00Z` }]
    await service.call(ingestTrace, { body: { trace_id, spans } }, tenant.keyHeader)
  }
})

describe('a review queue', () => {
  test('has the newest traces that match its filters, and not those that arrive later', async () => {
    const filters = { to: '2026-01-03T00:00:00Z' }
    const { status, data } = await create({ filters, instructions: 'Was it kind?' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      ...{ name: 'Refunds', score_name: 'Helpful', evaluator_id: null, filters },
      ...{ instructions: 'Was it kind?', created_by_name: tenant.members.Editor.name },
      ...{ trace_count: 2, reviewed_count: 0, removed_count: 0 },
    })
    const spans = [{ span_id: 's', name: 'run', started_at: '2026-01-01T12:00:00Z' }]
    await service.call(ingestTrace, { body: { trace_id: 'late', spans } }, tenant.keyHeader)
    expect((await open(data.id)).data.item?.trace_id).toBe('b')
    expect((await open(data.id, { position: 2 })).data.item?.trace_id).toBe('a')
    expect((await open(data.id, { position: 3 })).error.message).toBe(
      'The queue has no such trace.',
    )
    const small = (await create({ max_traces: 1 })).data
    expect((await open(small.id)).data.item?.trace_id).toBe('c')
    expect((await list()).map(({ id, trace_count }) => [id, trace_count])).toEqual([
      [small.id, 1],
      [data.id, 2],
    ])
  })

  test.each([
    [{ score_name: undefined }, 'VALIDATION_ERROR', 'must have either score_name or evaluator_id'],
    [{ filters: { status: 'ERROR' } }, 'VALIDATION_ERROR', 'filters match no traces'],
    [{ filters: { passed: 'true' } }, 'VALIDATION_ERROR', 'score is required with'],
    [
      { filters: { not_model: Array.from({ length: 9 }, (_, n) => String(n).repeat(1000)) } },
      ...(['VALIDATION_ERROR', 'filters must have at most 8,192 characters'] as const),
    ],
    [{ max_traces: 1001 }, 'VALIDATION_ERROR', 'max_traces'],
    [{ instructions: 'i'.repeat(2001) }, 'VALIDATION_ERROR', 'instructions'],
    [
      { score_name: undefined, evaluator_id: crypto.randomUUID() },
      ...(['NOT_FOUND', 'Evaluator not found.'] as const),
    ],
  ])('with %j is refused', async (body, code, message) => {
    const { error } = await create(body)
    expect([error.code, error.message.includes(message)]).toEqual([code, true])
    expect(await list()).toEqual([])
  })

  test('is not created, opened or scored by Viewers', async () => {
    expect((await create({}, viewer)).error.code).toBe('FORBIDDEN')
    expect(await list()).toEqual([])
    const { id } = (await create()).data
    expect((await open(id, {}, viewer)).error.code).toBe('FORBIDDEN')
    expect((await review(id, {}, viewer)).error.code).toBe('FORBIDDEN')
    expect((await scores('c')).length).toBe(0)
  })

  test('is deleted with its entries, and its scores are kept', async () => {
    const { id } = (await create()).data
    await review(id, {})
    const remove = (as = editor) =>
      service.call(removeReviewQueue, { params: { ...inProject(), queueId: id } }, as)
    expect((await remove(viewer)).error.code).toBe('FORBIDDEN')
    expect((await remove()).data).toEqual({ status: 'removed' })
    expect((await remove()).error.code).toBe('NOT_FOUND')
    expect((await open(id)).error.message).toBe('Review queue not found.')
    expect((await review(id, {})).error.message).toBe('Review queue not found.')
    expect(await list()).toEqual([])
    expect(await scores('c')).toHaveLength(1)
    const params = { orgId: tenant.organizationId }
    const log = (await service.call(listAuditLog, { params, query: {} }, owner)).data
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'review_queue.removed', details: { name: 'Refunds' } },
      { action: 'review_queue.created', details: { name: 'Refunds', traces: 3 } },
    ])
  })

  test('is refused beyond the limit of the project', async () => {
    const { value: most } = limits.reviewQueuesPerProject
    for (let n = 0; n < most; n += 1) await create({ max_traces: 1 })
    const { error } = await create()
    expect(error).toMatchObject({
      code: 'CONFLICT',
      message: 'A project can have at most 50 review queues. Delete one first.',
    })
    expect(await list()).toHaveLength(most)
  })

  test('of another project is not found', async () => {
    const { id: queueId } = (await create()).data
    const other = await service.addTenant()
    const as = await service.signedIn(other.members.Owner)
    const params = { projectId: other.projectId, queueId }
    const opened = await service.call(openReviewItem, { params, body: {} }, as)
    const body = { position: 1, score: 1 }
    const scored = await service.call(reviewTrace, { params, body }, as)
    const removed = await service.call(removeReviewQueue, { params }, as)
    expect([opened, scored, removed].map(({ error }) => error.code)).toEqual(
      Array(3).fill('NOT_FOUND'),
    )
    expect(await scores('c')).toEqual([])
    expect(await list()).toHaveLength(1)
  })
})

describe('a trace of a review queue', () => {
  test('is held for its reviewer until they open another one', async () => {
    const { id } = (await create()).data
    expect((await open(id)).data.item).toMatchObject({ position: 1, trace_id: 'c', status: 'open' })
    expect((await open(id)).data.item?.position).toBe(1)
    expect((await open(id, {}, owner)).data.item?.position).toBe(2)
    const seen = (await open(id, { position: 1 }, owner)).data.item
    expect(seen?.held_by_name).toBe(tenant.members.Editor.name)
    expect((await open(id, { after: 1 })).data.item).toMatchObject({
      ...{ position: 2, held_by_name: null },
    })
    expect((await open(id, {}, owner)).data.item?.position).toBe(1)
  })

  test('is held for one of several reviewers who open the queue at once', async () => {
    const { id } = (await create()).data
    const admin = await service.signedIn(tenant.members.Admin)
    const opened = await Promise.all([editor, owner, admin].map((as) => open(id, {}, as)))
    const positions = opened.map(({ data }) => data.item?.position)
    expect(new Set(positions)).toEqual(new Set([1, 2, 3]))
  })

  test('stays open while its reviewer has too many scores on it', async () => {
    const { id } = (await create()).data
    const own = allOfPerson('c', tenant.members.Editor.id)
    await service.telemetry.recordScores(tenant.projectId, own)
    expect((await review(id, {})).error.code).toBe('CONFLICT')
    expect((await open(id)).data.item).toMatchObject({ trace_id: 'c', status: 'open' })
  })

  test('has a score and its reviewer after its review, and is not opened as next again', async () => {
    const { id } = (await create()).data
    await open(id)
    const { status, data } = await review(id, { score: 0.25, reasoning: 'Rude.' })
    expect([status, data]).toMatchObject([
      201,
      { name: 'Helpful', source: 'person', score: 0.25, passed: false, reasoning: 'Rude.' },
    ])
    expect(await scores('c')).toMatchObject([{ id: data.id, span_id: null }])
    const next = (await open(id, {}, owner)).data
    expect([next.item?.position, next.queue.reviewed_count]).toEqual([2, 1])
    expect((await open(id, { position: 1 }, owner)).data.item).toMatchObject({
      ...{ status: 'reviewed', reviewed_by_name: tenant.members.Editor.name },
      ...{ reviewed_by: tenant.members.Editor.id, held_by_name: null },
    })
    await review(id, { score: 1 }, owner)
    expect(await scores('c')).toHaveLength(2)
    for (const position of [2, 3]) await review(id, { position })
    expect((await open(id)).data).toMatchObject({ item: null, queue: { reviewed_count: 3 } })
    expect((await review(id, { position: 4 })).error.code).toBe('NOT_FOUND')
  })

  test('that was deleted is left out, and cannot be scored', async () => {
    const { id } = (await create()).data
    const params = { ...inProject(), traceId: 'c' }
    await service.call(removeTrace, { params }, owner)
    const { data } = await open(id)
    expect([data.item?.trace_id, data.queue.removed_count]).toEqual(['b', 1])
    expect((await open(id, { position: 1 })).data.item).toMatchObject({
      ...{ status: 'removed', trace: null },
    })
    expect((await review(id, {})).error.message).toBe('Trace not found.')
    expect((await list())[0]).toMatchObject({ reviewed_count: 0, removed_count: 1 })
  })

  test('is scored for the evaluator of the queue, also when it was deleted', async () => {
    const answerPresent = listBuiltIn('').find(({ name }) => name === 'Answer present')!
    const builtIn = { score_name: undefined, evaluator_id: answerPresent.id }
    const first = (await create(builtIn)).data
    expect(first.score_name).toBe('Answer present')
    expect((await review(first.id, {})).data.evaluator_id).toBe(answerPresent.id)
    const params = { orgId: tenant.organizationId }
    const body = { name: 'Polite', category: 'quality' as const, prompt_template: '{{output}}' }
    const { data: own } = await service.call(createEvaluator, { params, body }, owner)
    const second = (await create({ score_name: undefined, evaluator_id: own.id })).data
    await service.call(deleteEvaluator, { params: { ...params, evaluatorId: own.id } }, owner)
    expect((await review(second.id, {})).data).toMatchObject({
      ...{ name: 'Polite', evaluator_id: own.id },
    })
  })
})
