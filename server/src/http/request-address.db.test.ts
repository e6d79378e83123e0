import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName, isServedBy, type Product } from '@assay/contract/endpoint.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import type { Tenant } from '../../test/people.ts'
import { sendRaw } from '../../test/raw-http.ts'
import { runningService } from '../../test/service-suite.ts'
import { type Credentials, startService } from '../../test/started-app.ts'

/*
 * A website can make its name resolve to a loopback address and then reach a local service under its own name, past the
 * same-origin policy.
 */

const service = runningService()
let tenant: Tenant
let owner: Credentials

beforeAll(async () => {
  tenant = await service.addTenant()
  owner = await service.signedIn(tenant.members.Owner)
})

async function send(
  line: string,
  headers: Readonly<Record<string, string>>,
  { origin, body = '' }: { readonly origin?: string; readonly body?: string } = {},
) {
  const lines = Object.entries({ connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  const text = `${line} HTTP/1.1\r\n${lines}${length}\r\n${body}`
  const [response] = await sendRaw(origin ?? service.origin, text)
  if (response === undefined) throw new Error('no response')
  return response
}

const foreignHosts = [
  'evil.example',
  'localhost.evil.example:4600',
  '127.0.0.1.evil.example',
  'host.docker.internal:4600',
  '192.168.1.5:4600',
  '0.0.0.0:4600',
  '[fd00::1]:4600',
]

describe('a service on loopback addresses', () => {
  test.each(['localhost', 'LOCALHOST.:80', '127.0.0.1:1', '127.9.9.9', '[::1]:4600'])(
    'accepts the host %s',
    async (host) => {
      expect((await send('GET /api/v1/orgs', { host, ...owner })).status).toBe(200)
    },
  )

  const pages = ['/', '/docs', '/api/v1/openapi.json', '/nothing']

  test.each(foreignHosts)('refuses pages under the host %s', async (host) => {
    for (const path of pages) {
      const refused = await send(`GET ${path}`, { host, accept: 'text/html' })
      expect([path, refused.status]).toEqual([path, 403])
      expect(JSON.parse(refused.body)).toEqual({
        error: {
          code: 'FORBIDDEN',
          message:
            'This service accepts requests at http://localhost:4600 only. To use another address, set ASSAY_BASE_URL to it.',
          details: {},
        },
      })
    }
  })

  const unkeyed = allEndpoints.filter((one) => (one.access as Access).by !== 'tracing-key')

  test.each(
    (['tracing', 'chat'] as const).flatMap((product) =>
      unkeyed
        .filter((one) => isServedBy(product, one))
        .map((one) => [product, endpointName(one), one] as const),
    ),
  )('refuses, on the %s host, %s under a foreign host', async (product, _name, declared) => {
    const path = declared.path
      .replace('{orgId}', tenant.organizationId)
      .replace('{projectId}', tenant.projectId)
      .replaceAll(/\{\w+\}/g, 'x')
    const line = `${declared.method} /api/v1${path}`
    const host = 'evil.example'
    const headers = { host, ...owner, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    const refused = await send(line, headers, { origin: originOf(product), body: '{}' })
    expect(refused.status).toBe(403)
    const setting = product === 'chat' ? 'ASSAY_CHAT_BASE_URL' : 'ASSAY_BASE_URL'
    expect(refused.body).toContain(`set ${setting} to it`)
  })

  const originOf = (product: Product) => (product === 'chat' ? service.chatOrigin : service.origin)

  test('accepts telemetry from containers, which use host names such as host.docker.internal', async () => {
    for (const host of ['host.docker.internal:4600', 'assay:4600', '192.168.1.5:4600']) {
      const spans = [{ span_id: host, name: 'a', started_at: '2026-01-01T00:00:00Z' }]
      const headers = {
        host,
        'x-tracing-key': tenant.tracingKey,
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ trace_id: host, spans })
      expect((await send('POST /api/v1/traces/ingest', headers, { body })).status).toBe(202)
      for (const path of ['/api/v1/traces', '/v1/logs', '/api/v1/metrics']) {
        expect((await send(`POST ${path}`, headers, { body: '{}' })).status).toBe(200)
      }
    }
  })

  test.each(['/healthz', '/readyz'])('serves %s to probes under any host', async (path) => {
    for (const host of foreignHosts) expect((await send(`GET ${path}`, { host })).status).toBe(200)
  })

  test('accepts HTTP/1.0 requests without a host, which no browser sends', async () => {
    const [response] = await sendRaw(service.origin, 'GET /api/v1/setup HTTP/1.0\r\n\r\n')
    expect(response?.status).toBe(200)
  })
})

test.each([
  ['with a public base URL', async () => ({ baseUrl: `http://assay.test:${await freePort()}` })],
  ['behind a trusted proxy', async () => ({ trustProxy: 1 })],
] as const)('a service %s accepts every host', async (_situation, options) => {
  const open = await startService(await options())
  for (const origin of [open.origin, open.chatOrigin]) {
    const response = await send('GET /api/v1/setup', { host: 'other.example' }, { origin })
    expect(response.status).toBe(200)
  }
  await open.stop()
})
