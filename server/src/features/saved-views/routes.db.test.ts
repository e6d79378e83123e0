import { createSavedView, listSavedViews, removeSavedView } from '@assay/contract/saved-views.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/started-app.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('everybody has views of their own, by name, once each', async () => {
  const tenant = await service.addTenant()
  const params = { projectId: tenant.projectId }
  const mine = await service.signedIn(tenant.members.Viewer)
  const theirs = await service.signedIn(tenant.members.Owner)
  const save = (name: string) =>
    service.call(createSavedView, { params, body: { name, query: 'status=ERROR' } }, mine)
  const names = async (as = mine) =>
    (await service.call(listSavedViews, { params }, as)).data.map((view) => view.name)

  const { data: slow } = await save('slow')
  expect(slow).toMatchObject({ name: 'slow', query: 'status=ERROR' })
  await save('errors')
  expect((await save('slow')).error.code).toBe('CONFLICT')
  expect(await names()).toEqual(['errors', 'slow'])
  expect(await names(theirs)).toEqual([])

  const remove = (as: typeof mine) =>
    service.call(removeSavedView, { params: { ...params, viewId: slow.id } }, as)
  expect((await remove(theirs)).error.code).toBe('NOT_FOUND')
  expect((await remove(mine)).data).toEqual({ removed: true })
  expect((await remove(mine)).error.code).toBe('NOT_FOUND')
  expect(await names()).toEqual(['errors'])
})
