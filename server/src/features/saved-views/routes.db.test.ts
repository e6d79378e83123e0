import { limits } from '@assay/contract/limits.ts'
import {
  createSavedView,
  listSavedViews,
  removeSavedView,
  replaceSavedView,
} from '@assay/contract/saved-views.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

const service = runningService()
const tenant = tenantPerTest(service)
const viewer = signedInPerTest(service, () => tenant.members.Viewer)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const inProject = () => ({ projectId: tenant.projectId })
const view = (name: string, query = 'status=ERROR') => ({ name, query })
const save = (name: string) =>
  service.call(createSavedView, { params: inProject(), body: view(name) }, viewer)
const list = async (as = viewer) =>
  (await service.call(listSavedViews, { params: inProject() }, as)).data.map(({ name, query }) => ({
    name,
    query,
  }))

describe('saved views', () => {
  test('are private to their user, sorted by name, each name once for a page', async () => {
    expect((await save('slow')).data).toMatchObject(view('slow'))
    await save('errors')
    expect((await save('slow')).error.code).toBe('CONFLICT')
    expect(await list()).toEqual([view('errors'), view('slow')])
    expect(await list(owner)).toEqual([])
    const body = { ...view('slow', 'charts=cost.time.bar'), page: 'dashboard' } as const
    const chart = await service.call(createSavedView, { params: inProject(), body }, viewer)
    expect(chart.data).toMatchObject(body)
    const { data } = await service.call(listSavedViews, { params: inProject() }, viewer)
    expect(data.map(({ page, name }) => `${page} ${name}`)).toEqual([
      ...['traces errors', 'dashboard slow', 'traces slow'],
    ])
  })

  test('are refused with a control character in their name', async () => {
    expect(await save('a\0b')).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: 'name must not contain control characters' },
    })
    expect(await list()).toEqual([])
  })

  test('are limited in number, also when several are saved at once', async () => {
    const { value: most } = limits.viewsPerPerson
    for (let n = 2; n < most; n += 1) await save(`view ${n}`)
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name)))
    const refused = outcomes.filter(({ status }) => status === 409)
    const message = 'A user can have at most 100 saved views in a project. Delete one first.'
    expect(refused.map(({ error }) => error.message)).toEqual([message, message])
    expect(await list()).toHaveLength(most)
  })

  test('are removed by their user only, once', async () => {
    const viewId = (await save('slow')).data.id
    const remove = (as: Credentials) =>
      service.call(removeSavedView, { params: { ...inProject(), viewId } }, as)
    expect((await remove(owner)).error.code).toBe('NOT_FOUND')
    expect(await list()).toEqual([view('slow')])
    expect((await remove(viewer)).data).toEqual({ status: 'removed' })
    expect((await remove(viewer)).error.code).toBe('NOT_FOUND')
    expect(await list()).toEqual([])
  })

  test('are replaced in one request, under the same id', async () => {
    const { data: saved } = await save('slow')
    const params = { ...inProject(), viewId: saved.id }
    const replace = (name: string, as = viewer) =>
      service.call(replaceSavedView, { params, body: view(name, 'status=OK') }, as)
    expect((await replace('slow')).data).toEqual({ ...saved, query: 'status=OK' })
    expect((await replace('fast')).data).toEqual({ ...saved, ...view('fast', 'status=OK') })
    expect((await replace('mine', owner)).error.code).toBe('NOT_FOUND')
    expect(await list()).toEqual([view('fast', 'status=OK')])
  })

  test('keep their names apart when one is replaced', async () => {
    await save('errors')
    const viewId = (await save('slow')).data.id
    const body = view('errors', 'status=OK')
    const params = { ...inProject(), viewId }
    const response = await service.call(replaceSavedView, { params, body }, viewer)
    expect(response.error.code).toBe('CONFLICT')
    expect(await list()).toEqual([view('errors'), view('slow')])
  })
})
