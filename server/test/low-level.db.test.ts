import { once } from 'node:events'
import { connect } from 'node:net'
import { allEndpoints } from '@assay/contract/all.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tenant } from './people.ts'
import { sendRaw } from './raw-http.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

const service = runningService()
let tenant: Tenant
let owner: Credentials

beforeAll(async () => {
  tenant = await service.addTenant()
  owner = await service.signedIn(tenant.members.Owner)
})

const envelope = { error: { code: expect.any(String), message: expect.any(String), details: {} } }

async function raw(text: string): Promise<{ status: number; body: unknown }[]> {
  const responses = await sendRaw(service.origin, text)
  return responses.map(({ status, body }) => ({ status, body: JSON.parse(body) }))
}

describe('a path that is not declared, or written differently (GHSA-x732-6j76-qmhm)', () => {
  test.each([
    'GET /api/v1',
    'GET /api/v1/',
    'GET /api/v1/nothing',
    'GET /api/v1/orgs/',
    'GET /api//v1/orgs',
    'GET //api/v1/orgs',
    'GET /API/v1/orgs',
    'GET /api/v1/Orgs',
    'GET /api/v1/orgs;x=1',
    'GET /api/v1/orgs%2f',
    'GET /api/v1/%6frgs/../secrets',
    'GET /api/v2/orgs',
    'POST /api/v1/traces/v2/traces',
    'GET /wp-admin',
  ])('%s does not exist for any caller', async (line) => {
    const [method = '', path = ''] = line.split(' ')
    const responses = await raw(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${owner['cookie']}\r\nconnection: close\r\n\r\n`,
    )
    expect(responses).toEqual([{ status: 404, body: envelope }])
    expect(responses[0]?.body).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})

describe('a method that is not declared', () => {
  /** A method that no endpoint has at this address, however the path is written. */
  function wrongMethodAt({ path }: AnyEndpoint): string {
    const address = path.replaceAll(/\{\w+\}/g, 'x')
    const fitting = allEndpoints.filter((other) =>
      new RegExp(`^${other.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
    )
    const wrong = (['PUT', 'PATCH', 'DELETE', 'POST'] as const).find(
      (method) => !fitting.some((other) => other.method === method),
    )
    if (wrong === undefined) throw new Error(`${path} allows every method`)
    return wrong
  }

  test.each(allEndpoints.map((one) => [`${wrongMethodAt(one)} ${one.path}`, one] as const))(
    '%s gets the list of allowed methods',
    async (_name, declared) => {
      const { method, path } = declared
      const response = await fetch(service.apiOf(declared) + path.replaceAll(/\{\w+\}/g, 'x'), {
        method: wrongMethodAt(declared),
      })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain(method)
      expect(await response.json()).toEqual(envelope)
    },
  )
})

describe('an invalid HTTP request', () => {
  test.each([
    ['garbage', 'nonsense\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/traces/ingest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /api/v1/traces/ingest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a space before the colon', 'GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: x\r\n\r\n', 400],
    ['one host twice', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\n\r\n', 400],
    ['two hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nhost: localhost\r\nhost: x\r\n\r\n', 400],
    [
      'an absolute address as the target',
      'GET http://localhost/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n',
      400,
    ],
    [
      'the absolute address of another host as the target of an ingestion',
      'POST http://evil.example/api/v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n',
      400,
    ],
    ['an asterisk as the target', 'OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    [
      'headers without end',
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'an address that cannot be decoded',
      'GET /api/v1/projects/%zz/traces HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      400,
    ],
  ])('%s gets an error envelope and ends the connection', async (_situation, text, status) => {
    const responses = await raw(text)
    expect(responses).toEqual([{ status, body: envelope }])
  })

  test('does not keep its connection open if the client never closes it', async () => {
    const { hostname, port } = new URL(service.origin)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => undefined)
    socket.write('nonsense\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    expect(socket.destroyed).toBe(false)
    // Refused once the service has closed the connection.
    await expect
      .poll(() => {
        socket.write(' ')
        return socket.destroyed
      })
      .toBe(true)
  })

  test('an unread body is never parsed as the next request', async () => {
    const hidden = 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const responses = await raw(
      `POST /api/v1/traces/ingest HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${hidden.length + 1000}\r\n\r\n${hidden}`,
    )
    expect(responses.map(({ status }) => status)).toEqual([401])
  })
})

describe('pipelined requests', () => {
  const paths = ['/docs', '/api/v1/openapi.json', '/healthz', '/api/v1/orgs', '/nothing', '/%zz']

  test.each(paths)('1,500 of %s close the connection with few responses', async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
    const responses = await sendRaw(service.origin, request.repeat(1500))
    expect(responses.length).toBeLessThanOrEqual(limits.pipelinedRequests.value + 1)
  })
})

describe('the description of the API', () => {
  test.each(['/docs', '/api/v1/openapi.json'])(
    'at %s is composed once, and identical for everybody',
    async (path) => {
      const [first, second] = [
        await fetch(service.origin + path),
        await fetch(service.origin + path, { headers: { 'accept-encoding': 'identity' } }),
      ]
      expect(first.headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
      expect(second.headers.get('content-encoding')).toBeNull()
      expect(await first.text()).toBe(await second.text())
    },
  )
})

describe('a body without Content-Length', () => {
  test('is counted as it arrives', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x20)
    let remaining = 40
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (remaining-- > 0) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const response = await fetch(`${service.api}${ingestTrace.path}`, {
      method: 'POST',
      headers: { 'x-tracing-key': tenant.tracingKey, 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual(envelope)
  })
})

describe('public endpoints', () => {
  test('a fresh service responds 401 everywhere except set-up, sign-in, its description and health', async () => {
    const open = []
    for (const declared of allEndpoints) {
      const { method, path } = declared
      const response = await fetch(service.apiOf(declared) + path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
      })
      if (response.status !== 401) open.push(`${method} ${path}`)
    }
    expect(open).toEqual([
      'GET /setup',
      'POST /setup/check',
      'POST /setup',
      'POST /auth/sign-up',
      'POST /auth/sign-in',
      'POST /auth/password-reset/request',
      'POST /auth/password-reset/check',
      'POST /auth/password-reset/confirm',
      'POST /auth/session-transfer/start',
      'POST /auth/session-transfer/redeem',
      'POST /invites/read',
      'POST /auth/sso-discovery',
      'GET /auth/sso/start',
      'GET /auth/sso/callback/{orgId}',
      'POST /auth/sso/acs/{orgId}',
      'GET /auth/sso/complete/{orgId}',
      'POST /auth/sso/link',
      'GET /auth/sso/metadata/{orgId}',
    ])
    for (const path of ['/healthz', '/readyz', '/docs', '/api/v1/openapi.json']) {
      expect((await fetch(service.origin + path)).status, path).toBe(200)
    }
  })

  test('no response allows other origins to read it', async () => {
    for (const path of ['/api/v1/orgs', '/api/v1/openapi.json', '/healthz', '/nothing']) {
      const response = await fetch(service.origin + path, {
        headers: { origin: 'https://evil.example' },
      })
      expect(response.headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  test('private responses are not cacheable', async () => {
    for (const headers of [owner, {}]) {
      const response = await fetch(`${service.api}/orgs`, { headers })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })
})
