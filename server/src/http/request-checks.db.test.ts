import { listOrganizations } from '@assay/contract/organizations.ts'
import { createTracingKey, listTracingKeys } from '@assay/contract/tracing-keys.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../test/service-suite.ts'
import type { Credentials } from '../../test/started-app.ts'

/*
 * The order and the messages of refusals before a body is parsed.
 */

const service = runningService()
const tenant = tenantPerTest(service)
const owner = signedInPerTest(service, () => tenant.members.Owner)

const unknownKey = { 'x-tracing-key': `tk_live_${'0'.repeat(48)}` }

async function send(path: string, headers: Credentials, method = 'POST') {
  const body = new TextEncoder().encode('{}')
  const init = method === 'GET' ? { headers } : { method, headers, body }
  const response = await fetch(service.api + path, init)
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: error?.code, message: error?.message }
}

const contentTypes: readonly (readonly [string, Credentials])[] = [
  ['no Content-Type', {}],
  ...[
    '',
    ' ',
    ';',
    'text',
    'text/plain',
    'a/b/c',
    '/json',
    'application/',
    'application/json x',
  ].map((type) => [`Content-Type "${type}"`, { 'content-type': type }] as const),
]

describe.each(contentTypes)('%s', (_name, headers) => {
  test.each(['/traces', '/metrics', '/logs'])(
    'is refused at %s with 415, after the key',
    async (path) => {
      const own = tenant.keyHeader
      expect(await send(path, { ...headers, ...own })).toEqual({
        status: 415,
        code: 'VALIDATION_ERROR',
        message: 'Content-Type must be application/x-protobuf or application/json.',
      })
      expect(await send(path, { ...headers, ...unknownKey })).toMatchObject({
        status: 401,
        message: 'Invalid or revoked tracing key.',
      })
      expect(await send(path, headers)).toMatchObject({
        status: 401,
        message: 'Tracing key required.',
      })
    },
  )

  test('is refused at a session endpoint with 415, after the session, and creates nothing', async () => {
    const path = `/projects/${tenant.projectId}/tracing-keys`
    expect(await send(path, { ...headers, ...owner })).toEqual({
      status: 415,
      code: 'VALIDATION_ERROR',
      message: 'Content-Type must be application/json.',
    })
    expect(await send(path, headers)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(await keys()).toHaveLength(1)
  })

  test('does not change the response of an unknown address', async () => {
    expect(await send('/nothing', headers)).toMatchObject({ status: 404 })
  })
})

async function keys() {
  const { projectId } = tenant
  return (await service.call(listTracingKeys, { params: { projectId } }, owner)).data
}

describe('an empty body is not valid JSON', () => {
  test('an app endpoint responds with the 500 of the specification and creates nothing', async () => {
    const { projectId } = tenant
    const response = await service.call(createTracingKey, { params: { projectId }, raw: '' }, owner)
    expect(response).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } })
    expect(await keys()).toHaveLength(1)
  })

  test.each([
    ['/traces/ingest', 'The body is not valid JSON.'],
    ['/traces', 'The body is not OTLP JSON: it cannot be parsed.'],
  ])('%s responds with 400', async (path, message) => {
    const headers = { 'x-tracing-key': tenant.tracingKey, 'content-type': 'application/json' }
    const response = await fetch(service.api + path, { method: 'POST', headers })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR', message } })
  })
})

describe('ids in a path', () => {
  test('a UUID in upper case is the same project and organization', async () => {
    const { data } = await service.call(listOrganizations, {}, owner)
    const organizationId = data[0]?.id.toUpperCase() ?? ''
    expect(await send(`/orgs/${organizationId}/members`, owner, 'GET')).toMatchObject({
      status: 200,
    })
    const projectId = tenant.projectId.toUpperCase()
    expect(
      (await service.call(createTracingKey, { params: { projectId }, body: {} }, owner)).status,
    ).toBe(201)
    expect(await keys()).toHaveLength(2)
    const keyId = tenant.tracingKeyId.toUpperCase()
    const revoked = await send(`/projects/${projectId}/tracing-keys/${keyId}`, owner, 'DELETE')
    expect(revoked.status).toBe(200)
  })

  test.each(['GET', 'PUT', 'DELETE'])(
    '%s of a trace id over 2048 characters is not found',
    async (method) => {
      const path = `/projects/${tenant.projectId}/traces/${'x'.repeat(2049)}`
      expect(await send(path, owner, method)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )
})
