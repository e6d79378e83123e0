import { createComment, listComments, removeComment } from '@assay/contract/comments.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newOrderedId } from '../../platform/ids.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

beforeEach(async () => {
  const spans = [{ span_id: 's', name: 'run', started_at: '2026-01-01T00:00:00Z' }]
  const body = { trace_id: 't', spans }
  await service.call(ingestTrace, { body }, tenant.keyHeader)
})

const inTrace = (projectId = tenant.projectId) => ({ projectId, traceId: 't' })
const comment = (text: string, as = owner) =>
  service.call(createComment, { params: inTrace(), body: { text } }, as)
const comments = async () => (await service.call(listComments, { params: inTrace() }, owner)).data

describe('comments', () => {
  test('are listed oldest first with their authors, for every member', async () => {
    const viewer = tenant.members.Viewer
    await comment(' why so slow? ', await service.signedIn(viewer))
    await comment('a retry')
    expect(await comments()).toMatchObject([
      { trace_id: 't', text: 'why so slow?', author: { id: viewer.id, name: viewer.name } },
      { text: 'a retry' },
    ])
    const params = { ...inTrace(), traceId: 'none' }
    const none = { params, body: { text: 'x' } }
    expect((await service.call(createComment, none, owner)).error.code).toBe('NOT_FOUND')
    expect((await service.call(listComments, { params }, owner)).error.code).toBe('NOT_FOUND')
    expect((await comment('  ')).error.code).toBe('VALIDATION_ERROR')
  })

  test('are listed in pages, which a removed and a new comment do not shift', async () => {
    for (const text of ['a', 'b', 'c', 'd']) await comment(text)
    const page = (query: object) => service.call(listComments, { params: inTrace(), query }, owner)
    const first = await page({ limit: 2 })
    expect(first).toMatchObject({ data: [{ text: 'a' }, { text: 'b' }], meta: { total: 4 } })
    const [, last] = first.data
    const params = { ...inTrace(), commentId: last?.id }
    expect((await service.call(removeComment, { params }, owner)).status).toBe(200)
    await comment('e')
    const second = await page({ limit: 2, cursor: first.meta.cursor })
    expect(second.data).toMatchObject([{ text: 'c' }, { text: 'd' }])
    const third = await page({ limit: 2, cursor: second.meta.cursor })
    expect(third.data).toMatchObject([{ text: 'e' }])
    expect(third.meta).toEqual({ pageSize: 1, cursor: null, total: 4 })
    expect((await page({ limit: 101 })).error.code).toBe('VALIDATION_ERROR')
  })

  test('are refused on a trace that has as many as it can have', async () => {
    const { id: author_id } = tenant.members.Owner
    const { value: most } = limits.commentsPerTrace
    await service.accounts.transaction(async (stores) => {
      for (let at = 0; at < most; at += 1) {
        await stores.comments.insert({
          ...{ id: newOrderedId(), project_id: tenant.projectId, trace_id: 't', author_id },
          ...{ text: `${at}`, created_at: '2026-01-01T00:00:00.000Z' },
        })
      }
    })
    expect(await comment('one more')).toMatchObject({
      status: 409,
      error: { message: 'A trace can have at most 1,000 comments. Delete a comment first.' },
    })
    const { data, meta } = await service.call(listComments, { params: inTrace() }, owner)
    expect(meta).toMatchObject({ total: most, pageSize: limits.listPageDefault.value })
    await service.call(removeComment, { params: { ...inTrace(), commentId: data[0]?.id } }, owner)
    expect((await comment('one more')).status).toBe(201)
  })
})

describe('removing a comment', () => {
  const remove = (commentId: string, as = owner, params: object = inTrace()) =>
    service.call(removeComment, { params: { ...params, commentId } }, as)

  test('removes it for everybody, and a repeated request is not found', async () => {
    const { id } = (await comment('not so')).data
    await comment('stays')
    expect((await remove(id)).data).toEqual({ status: 'removed' })
    expect((await remove(id)).error.code).toBe('NOT_FOUND')
    expect(await comments()).toMatchObject([{ text: 'stays' }])
  })

  test('does not remove comments of others, of another trace or in another project', async () => {
    const { id } = (await comment('mine')).data
    const other = await service.addTenant()
    const nonMember = await service.signedIn(other.members.Owner)
    const admin = await service.signedIn(tenant.members.Admin)
    const responses = [
      await remove(id, admin),
      await remove(id, owner, { ...inTrace(), traceId: 'none' }),
      await remove(id, nonMember, inTrace(other.projectId)),
    ]
    expect(responses.map(({ error }) => error.code)).toEqual(Array(3).fill('NOT_FOUND'))
    const noTrace = { ...inTrace(), traceId: 't'.repeat(limits.traceIdLength.value + 1) }
    expect((await remove(id, owner, noTrace)).error.code).toBe('VALIDATION_ERROR')
    expect(await comments()).toMatchObject([{ text: 'mine' }])
  })
})
