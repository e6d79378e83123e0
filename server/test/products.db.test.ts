import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName, isServedBy } from '@assay/contract/endpoint.ts'
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

test('single sign-on that starts on the chat host goes through the tracing host', async () => {
  const path = '/api/v1/auth/sso/start?email=ana%40example.org'
  const response = await fetch(service.chatOrigin + path, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `http://localhost:4600${path}`,
  ])
})

test('the chat host is healthy, and redirects to the tracing host until it has pages', async () => {
  expect((await fetch(`${service.chatOrigin}/readyz`)).status).toBe(200)
  for (const path of ['/', '/anything']) {
    const response = await fetch(service.chatOrigin + path, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'http://localhost:4600',
    ])
  }
  const api = await fetch(`${service.chatOrigin}/api/v1/nothing`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  expect(api.status).toBe(404)
})
