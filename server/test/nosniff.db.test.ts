import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName, isServedBy } from '@assay/contract/endpoint.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, type Tenant } from './people.ts'
import { sendRaw } from './raw-http.ts'
import { type Credentials, type Service, startService } from './started-app.ts'

/*
 * Every response forbids browsers to guess its content type, or data of a tenant could be run as a script.
 */

let service: Service
let tenant: Tenant
let people: readonly Credentials[]
const webFolder = mkdtempSync(join(tmpdir(), 'assay-web-'))

beforeAll(async () => {
  mkdirSync(join(webFolder, 'assets'))
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>Assay</title>')
  writeFileSync(join(webFolder, 'assets', 'app.js'), 'export {}')
  writeFileSync(join(webFolder, 'favicon.svg'), '<svg/>')
  service = await startService({ webFolder })
  tenant = await service.addTenant()
  const admin = await addUser(service.accounts, { superAdmin: true })
  people = [
    {},
    { 'x-tracing-key': tenant.tracingKey, 'content-type': 'application/json' },
    { 'x-tracing-key': tenant.tracingKey, 'content-type': 'application/x-protobuf' },
    await service.signedIn(tenant.members.Viewer),
    await service.signedIn(admin),
  ]
})
afterAll(async () => {
  await service.stop()
  rmSync(webFolder, { recursive: true })
})

const nosniff = (headers: Headers) => headers.get('x-content-type-options')

test.each(allEndpoints.map((one) => [endpointName(one), one] as const))(
  '%s, whoever calls it and whatever the response',
  async (_name, declared) => {
    const path = declared.path
      .replace('{orgId}', tenant.organizationId)
      .replace('{projectId}', tenant.projectId)
      .replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const origins = [service.origin, ...(isServedBy('chat', declared) ? [service.chatOrigin] : [])]
    for (const origin of origins) {
      for (const as of people) {
        const method = declared.method
        const init = { method, headers: as, redirect: 'manual' } as const
        const left = new AbortController()
        const response = await fetch(`${origin}/api/v1${path}`, { ...init, signal: left.signal })
        left.abort()
        expect([response.status, nosniff(response.headers)]).toEqual([response.status, 'nosniff'])
      }
    }
  },
)

test.each([
  '/',
  '/any/page',
  '/assets/app.js',
  '/favicon.svg',
  '/docs',
  '/api/v1/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/nothing.js',
  '/api/v1/nothing',
  '/api/v1/projects/%zz',
  `/api/v1/projects/${'x'.repeat(3000)}/traces`,
])('%.40s with every method, encoding and cached version', async (path) => {
  for (const origin of [service.origin, service.chatOrigin]) {
    for (const accept of ['text/html', 'application/json']) {
      for (const init of [
        {},
        { method: 'HEAD' },
        { method: 'OPTIONS' },
        { method: 'POST' },
        { headers: { 'accept-encoding': 'br' } },
        { headers: { 'accept-encoding': 'identity', range: 'bytes=0-1' } },
        { headers: { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() } },
      ]) {
        const headers = { accept, ...init.headers }
        const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' })
        expect([response.status, nosniff(response.headers)]).toEqual([response.status, 'nosniff'])
      }
    }
  }
})

const host = 'host: localhost\r\n'

test.each([
  ['a request that is not HTTP', 'nonsense\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['two hosts', `GET /api/v1/setup HTTP/1.1\r\n${host}${host}\r\n`, 400],
  ['a foreign host', 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 403],
  [
    'an unknown expectation',
    `GET /healthz HTTP/1.1\r\n${host}expect: x\r\nconnection: close\r\n\r\n`,
    200,
  ],
  [
    'an upgrade',
    `GET /healthz HTTP/1.1\r\n${host}upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
    200,
  ],
])('the response to %s', async (_situation, text, status) => {
  for (const origin of [service.origin, service.chatOrigin]) {
    const responses = await sendRaw(origin, text)
    const sent = responses.map((one) => [one.status, one.headers['x-content-type-options']])
    expect(sent).toEqual([[status, 'nosniff']])
  }
})
