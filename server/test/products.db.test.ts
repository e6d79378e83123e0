import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName, isServedBy } from '@assay/contract/endpoint.ts'
import { listModelConfigs } from '@assay/contract/model-configs.ts'
import { listOrganizations, listProjects } from '@assay/contract/organizations.ts'
import { updateProfile } from '@assay/contract/profile.ts'
import { readSession, readSetup } from '@assay/contract/sign-in.ts'
import { describe, expect, test } from 'vitest'
import { runningService } from './service-suite.ts'

const service = runningService()

describe.each(['tracing', 'chat'] as const)('the host of the %s product', (product) => {
  const api = () => `${product === 'chat' ? service.chatOrigin : service.origin}/api/v1`

  test.each(allEndpoints.map((one) => [endpointName(one), one] as const))(
    'serves %s exactly if it is declared for it',
    async (_name, declared) => {
      const path = declared.path.replaceAll(/\{\w+\}/g, 'x')
      const call = (method: string) => fetch(api() + path, { method, redirect: 'manual' })
      if (!isServedBy(product, declared)) {
        expect([404, 405]).toContain((await call(declared.method)).status)
        return
      }
      expect((await call(declared.method)).status).not.toBe(405)
      // For a method that no endpoint has, the response lists the allowed ones.
      expect((await call('PROPFIND')).headers.get('allow')).toContain(declared.method)
    },
  )
})

describe.each(['tracing', 'chat'] as const)('the description of the %s host', (product) => {
  test('lists what the host serves, under its own address', async () => {
    const origin = product === 'chat' ? service.chatOrigin : service.origin
    const response = await fetch(`${origin}/api/v1/openapi.json`)
    const { paths, servers } = (await response.json()) as {
      paths: Record<string, object>
      servers: unknown
    }
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = allEndpoints.filter((one) => isServedBy(product, one)).map(endpointName)
    expect(described.sort()).toEqual(served.sort())
    const port = product === 'chat' ? 4601 : 4600
    expect(servers).toEqual([{ url: `http://localhost:${port}/api/v1` }])
  })
})

test('both hosts serve the same endpoints under auth/', () => {
  const unshared = allEndpoints.filter(
    ({ path, product }) => path.startsWith('/auth/') && product !== 'both',
  )
  expect(unshared.map(endpointName)).toEqual([])
})

describe.each(['tracing', 'chat'] as const)('a page on the %s host', (product) => {
  const on = product === 'chat' ? { on: 'chat' as const } : {}
  const products = { tracing: 'http://localhost:4600', chat: 'http://localhost:4601' }

  test('can learn where the products are, before and after sign-in', async () => {
    const { members } = await service.addTenant()
    const as = await service.signedIn(members.Viewer)
    expect((await service.call(readSetup, on)).data.products).toEqual(products)
    expect((await service.call(readSession, on, as)).data.products).toEqual(products)
  })

  test('can list organizations with the role, and their projects and models', async () => {
    const { organizationId, projectId, members } = await service.addTenant()
    const as = await service.signedIn(members.Viewer)
    const params = { orgId: organizationId }
    const organizations = (await service.call(listOrganizations, on, as)).data
    expect(organizations).toMatchObject([{ id: organizationId, role: 'Viewer' }])
    const projects = (await service.call(listProjects, { params, ...on }, as)).data
    expect(projects).toMatchObject([{ id: projectId, encrypted_history: 'off' }])
    expect((await service.call(listModelConfigs, { params, ...on }, as)).data).toEqual([])
    const renamed = await service.call(updateProfile, { body: { name: 'Ana' }, ...on }, as)
    expect(renamed.status).toBe(200)
  })
})

test('single sign-on that starts on the chat host goes through the tracing host', async () => {
  const path = '/api/v1/auth/sso/start?email=ana%40example.org'
  const response = await fetch(service.chatOrigin + path, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `http://localhost:4600${path}`,
  ])
})

test('the chat host is healthy, and serves no page for a missing endpoint', async () => {
  expect((await fetch(`${service.chatOrigin}/readyz`)).status).toBe(200)
  const headers = { accept: 'text/html' }
  const response = await fetch(`${service.chatOrigin}/api/v1/nothing`, { headers })
  expect(response.status).toBe(404)
})
