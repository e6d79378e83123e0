import { listAuditLog } from '@assay/contract/audit-log.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createSharedView,
  listSharedViews,
  removeSharedView,
  replaceSharedView,
} from '@assay/contract/shared-views.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const other = tenantPerTest(service)
const editor = signedInPerTest(service, () => tenant.members.Editor)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const owner = signedInPerTest(service, () => tenant.members.Owner)
const otherOwner = signedInPerTest(service, () => other.members.Owner)

const params = () => ({ projectId: tenant.projectId })
const share = (name: string, as = editor, page: 'traces' | 'dashboard' = 'traces') => {
  const body = { page, name, query: 'status=ERROR' }
  return service.call(createSharedView, { params: params(), body }, as)
}
const list = async (as = viewer) =>
  (await service.call(listSharedViews, { params: params() }, as)).data.map(({ name, query }) => [
    name,
    query,
  ])

describe('shared views', () => {
  test('are seen by everyone in the project, by name, each name once for a page', async () => {
    expect((await share('slow')).data).toMatchObject({ page: 'traces', name: 'slow' })
    await share('errors', owner)
    expect((await share('slow', owner)).error.code).toBe('CONFLICT')
    expect((await share('slow', owner, 'dashboard')).status).toBe(201)
    const { data } = await service.call(listSharedViews, { params: params() }, viewer)
    expect(data.map(({ name, page }) => [name, page])).toEqual([
      ['errors', 'traces'],
      ['slow', 'dashboard'],
      ['slow', 'traces'],
    ])
    expect(data[0]?.created_by).toBe(tenant.members.Owner.name)
  })

  test('are changed by editors, also those of others, and not by viewers', async () => {
    const { id } = (await share('slow', owner)).data
    const one = { ...params(), viewId: id }
    const body = { name: 'fast', query: 'status=OK' }
    const replace = (as = editor) => service.call(replaceSharedView, { params: one, body }, as)
    const remove = (as = editor) => service.call(removeSharedView, { params: one }, as)
    for (const refused of [
      await share('mine', viewer),
      await replace(viewer),
      await remove(viewer),
    ])
      expect(refused.status).toBe(403)
    expect(await list()).toEqual([['slow', 'status=ERROR']])
    expect((await replace()).data).toMatchObject({ id, ...body })
    expect(await list()).toEqual([['fast', 'status=OK']])
    expect((await remove()).data).toEqual({ status: 'removed' })
    expect((await remove()).error.code).toBe('NOT_FOUND')
    expect((await replace()).error.code).toBe('NOT_FOUND')
    expect(await list()).toEqual([])
  })

  test('are in the audit log: shared, changed and deleted, and not what was refused', async () => {
    const { id: viewId } = (await share('slow', editor, 'dashboard')).data
    await share('slow', viewer)
    await share('slow', owner, 'dashboard')
    const one = { params: { ...params(), viewId } }
    await service.call(replaceSharedView, { ...one, body: { name: 'fast', query: '' } }, editor)
    await service.call(removeSharedView, one, editor)
    await service.call(removeSharedView, one, editor)
    const inOrg = { params: { orgId: tenant.organizationId } }
    const { data } = await service.call(listAuditLog, inOrg, owner)
    const entries = data.filter(({ action }) => action.startsWith('shared_view.'))
    const details = { project_id: tenant.projectId, page: 'dashboard' }
    const target = { kind: 'shared_view', id: viewId }
    expect(entries).toMatchObject([
      { action: 'shared_view.removed', target, details: { ...details, name: 'fast' } },
      { action: 'shared_view.updated', target, details: { ...details, name: 'fast' } },
      { action: 'shared_view.created', target, details: { ...details, name: 'slow' } },
    ])
  })

  test('keep their names apart when one is replaced', async () => {
    await share('errors')
    const viewId = (await share('slow')).data.id
    const body = { name: 'errors', query: '' }
    const args = { params: { ...params(), viewId }, body }
    expect((await service.call(replaceSharedView, args, editor)).error.code).toBe('CONFLICT')
    expect((await list()).map(([name]) => name)).toEqual(['errors', 'slow'])
  })

  test('of another project are not found, whatever the id', async () => {
    const viewId = (await share('slow')).data.id
    const args = { params: { projectId: other.projectId, viewId } }
    const body = { name: 'stolen', query: '' }
    const replaced = await service.call(replaceSharedView, { ...args, body }, otherOwner)
    const removed = await service.call(removeSharedView, args, otherOwner)
    expect([replaced, removed].map(({ error }) => error.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect(await list()).toEqual([['slow', 'status=ERROR']])
  })

  test('are limited in number, also when several are shared at once', async () => {
    const { sharedViews } = service.accounts
    const row = { project_id: tenant.projectId, page: 'traces', query: '' } as const
    for (let n = 1; n < limits.sharedViews.value; n += 1) {
      const own = { id: `view ${n}`, name: `view ${n}` }
      await sharedViews.insert({ ...row, ...own, created_by: null, created_at: '2026-01-01' })
    }
    const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => share(name)))
    expect(outcomes.filter(({ status }) => status === 409)).toHaveLength(2)
    expect(await sharedViews.count(tenant.projectId)).toBe(limits.sharedViews.value)
  })
})
