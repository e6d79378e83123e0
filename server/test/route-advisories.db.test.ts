import type { Access } from '@assay/contract/access.ts'
import { hasPermission } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import {
  type AnyEndpoint,
  type Body,
  endpointName,
  hasBareErrors,
  isSuccess,
  listErrors,
} from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createSampleProject } from '@assay/contract/organizations.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import { revokeTracingKey } from '@assay/contract/tracing-keys.ts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../src/platform/ids.ts'
import { addUser, type Tenant } from './people.ts'
import { readTables } from './read-tables.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

/*
 * Published attacks on similar products that any route can be open to: these suites loop over the contract.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether to run the lengths of `npm run test:long`. */
    isLong: boolean
  }
}

const service = runningService()
let own: Tenant
let other: Tenant
let owner: Credentials

beforeAll(async () => {
  own = await service.addTenant()
  other = await service.addTenant()
  owner = await service.signedIn(own.members.Owner)
  await service.accounts.installation.claim(at)
  const access = { id: newId(), pattern: '@x.org', added_by: null, created_at: at }
  await service.accounts.platformAccess.insert(access)
  const body = { trace_id: 'a', spans: [{ span_id: 'a', name: 'a', started_at: at }] }
  await service.call(ingestTrace, { body }, own.keyHeader)
})

const at = '2026-01-01T00:00:00.000Z'
const named = (endpoints: readonly AnyEndpoint[]) =>
  endpoints.map((one) => [endpointName(one), one] as const)
const getAccess = (declared: AnyEndpoint): Access => declared.access
const getBody = (declared: AnyEndpoint): Body | undefined => declared.body

const somebody = '00000000-0000-4000-8000-000000000000'

function pathIn({ path }: AnyEndpoint, tenant: Tenant): string {
  return path
    .replace('{orgId}', tenant.organizationId)
    .replace('{projectId}', tenant.projectId)
    .replace('{traceId}', 'a')
    .replaceAll(/\{\w+\}/g, somebody)
}

const paramsOf = (declared: AnyEndpoint) => ({
  ...Object.fromEntries(
    [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, somebody]),
  ),
  orgId: own.organizationId,
  projectId: own.projectId,
  traceId: 'a',
})

describe('advisory 1: a plain member starts and changes nothing (Langfuse, CVE-2025-59305)', () => {
  const privileged = allEndpoints.filter((one) => {
    const access = getAccess(one)
    if (access.by !== 'session' || !('of' in access)) return false
    const anyOf = 'anyOf' in access ? access.anyOf : undefined
    return access.of === 'platform' || anyOf?.some((one) => hasPermission('Viewer', one)) === false
  })

  test.each(named(privileged))('%s', async (_name, declared) => {
    const viewer = await service.signedIn(own.members.Viewer)
    const before = await readTables(service)
    const body = getBody(declared) === undefined ? undefined : validBodies[endpointName(declared)]
    const refused = await service.call(
      declared,
      { params: paramsOf(declared), body: body ?? (getBody(declared) && {}) },
      viewer,
    )
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    expect(await readTables(service)).toEqual(before)
  })
})

describe('advisory 9: every route needs credentials unless it is declared to need none (MLflow, CVE-2026-2652)', () => {
  test.each(['tracing', 'chat'] as const)('on the %s host', async (product) => {
    const origin = product === 'chat' ? service.chatOrigin : service.origin
    const open: string[] = []
    for (const route of service.routes(product)) {
      const [method = '', path = ''] = route.split(' ')
      const response = await fetch(origin + path.replaceAll(/:\w+/g, 'x'), {
        method,
        redirect: 'manual',
      })
      if (response.status !== 401) open.push(route)
      await response.body?.cancel()
    }
    const anonymous = allEndpoints
      .filter((one) => getAccess(one).by === 'anonymous')
      .filter((one) => product === 'tracing' || one.product === 'both')
      .map(({ method, path }) => `${method} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    const others = ['/healthz', '/readyz', '/metrics', '/docs', '/api/v1/openapi.json']
    const declared = [...anonymous, ...others.map((path) => `GET ${path}`)]
    expect(open.toSorted()).toEqual(declared.toSorted())
  })

  test.each(['/api/v1', '/v1', '/api/v1/v1', '/api/v1/traces/v1'])(
    'OTLP under %s refuses requests without a key',
    async (prefix) => {
      for (const signal of ['traces', 'metrics', 'logs']) {
        for (const type of ['application/json', 'application/x-protobuf']) {
          const response = await fetch(`${service.origin}${prefix}/${signal}`, {
            method: 'POST',
            headers: { 'content-type': type, ...owner },
            body: '',
          })
          expect([signal, response.status]).toEqual([signal, 401])
        }
      }
    },
  )

  test('routes that are not declared are not found', async () => {
    for (const declared of allEndpoints) {
      const path = pathIn(declared, own)
      for (const unknown of [`/api/v2${path}`, `/api${path}`, `/api/v1/internal${path}`]) {
        const { method } = declared
        const response = await fetch(service.origin + unknown, { method, headers: owner })
        expect([unknown, response.status]).toEqual([unknown, 404])
      }
    }
  })
})

describe('advisory 13: a key gets the same response in either header (Open WebUI, CVE-2026-45339)', () => {
  let revokedKey: string

  beforeAll(async () => {
    const { projectId, tracingKeyId, tracingKey, members } = await service.addTenant()
    const params = { projectId, keyId: tracingKeyId }
    await service.call(revokeTracingKey, { params }, await service.signedIn(members.Admin))
    revokedKey = tracingKey
  })

  test.each(named(allEndpoints))('%s', async (_name, declared) => {
    const takesKey = getAccess(declared).by === 'tracing-key'
    const keys = {
      valid: own.tracingKey,
      unknown: `tk_live_${'0'.repeat(48)}`,
      // Where a key is not a credential, one that is valid is as good as the others.
      ...((takesKey || inject('isLong')) && {
        'the built-in one': own.legacyKey,
        revoked: revokedKey,
        malformed: own.tracingKey.toUpperCase(),
        padded: `  ${own.tracingKey} `,
      }),
    }
    for (const [which, key] of Object.entries(keys)) {
      const send = async (headers: Credentials) => {
        const { method } = declared
        const hasBody = getBody(declared) !== undefined
        const response = await fetch(service.apiOf(declared) + pathIn(declared, own), {
          method,
          redirect: 'manual',
          headers: { 'content-type': 'application/json', ...headers },
          ...(hasBody ? { body: '{}' } : {}),
        })
        return [which, response.status, withoutRandom(await response.text())]
      }
      expect(await send({ authorization: `Bearer ${key}` })).toEqual(
        await send({ 'x-tracing-key': key }),
      )
    }
  })

  const withoutRandom = (text: string) => text.replaceAll(/[0-9a-f]{64}/g, 'random')
})

describe('advisory 19: any body with any method gets a response of the contract (LibreChat, CVE-2026-31949)', () => {
  const paths = [...new Map(allEndpoints.map((one) => [one.path, one] as const))]
  const bodies = [undefined, '', 'null', '[]', '[null]', '"text"', '0', '{}', '{"__proto__":null}']
  // Where no body is read, because of the method or the type.
  const fewBodies = inject('isLong') ? bodies : [undefined, '{}']

  test.each(paths)('%s', async (path, anyOfPath) => {
    const { tenant, headers } = await disposable()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const declared = findEndpoint(method, path)
      // Takes no input, and writes thousands of spans.
      if (declared === createSampleProject) continue
      for (const type of ['application/json', 'text/plain']) {
        const isRead = declared !== undefined && type === 'application/json'
        for (const body of isRead ? bodies : fewBodies) {
          const url = service.apiOf(anyOfPath) + pathIn(anyOfPath, tenant)
          const sent = {
            method,
            redirect: 'manual',
            ...(body === undefined ? {} : { body }),
          } as const
          const as = { 'content-type': type, ...headers }
          const response = await fetch(url, { ...sent, headers: as })
          const text = await response.text()
          expect(isExpected(declared, response.status, text), `${method} ${body}: ${text}`).toBe(
            true,
          )
        }
      }
    }
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  })

  /** Of several that match, the one without parameters in the last place. */
  function findEndpoint(method: string, path: string): AnyEndpoint | undefined {
    const matching = allEndpoints.filter(
      (one) =>
        one.method === method &&
        new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    return matching.find((one) => one.path === path) ?? matching[0]
  }

  /** An organization that a test may change, with the credentials for all of its endpoints. */
  async function disposable() {
    const tenant = await service.addTenant()
    const admin = await addUser(service.accounts, { superAdmin: true })
    return { tenant, headers: { ...(await service.signedIn(admin)), ...tenant.keyHeader } }
  }

  function isExpected(declared: AnyEndpoint | undefined, status: number, text: string): boolean {
    if (declared !== undefined && isSuccess(declared, status)) return true
    const hasDetails = declared === undefined || !hasBareErrors(declared)
    const { error } = (hasDetails ? errorShape : bareErrorShape).parse(JSON.parse(text))
    if (declared === undefined) return status === 405 && error.code === 'VALIDATION_ERROR'
    return listErrors(declared).some((one) => one.code === error.code && one.status === status)
  }

  const bareError = z.strictObject({ code: z.string(), message: z.string() })
  const bareErrorShape = z.strictObject({ error: bareError })
  const errorShape = z.strictObject({ error: bareError.extend({ details: z.looseObject({}) }) })
})

const price = { model: 'm', input_usd_per_mtok: 1, output_usd_per_mtok: 1 }
const range = { from: '2026-05-01T08:00:00Z', to: '2026-05-02T08:00:00Z' }

/** Bodies that the endpoint accepts from an Owner. */
const validBodies: Readonly<Record<string, object>> = {
  'PATCH /profile': { name: 'Ana' },
  'PATCH /orgs/{orgId}': { name: 'Acme' },
  'POST /orgs/{orgId}/projects': { name: 'Another' },
  'PATCH /projects/{projectId}': { name: 'Renamed' },
  'POST /orgs/{orgId}/members/invite': { email: 'ben@x.org', role: 'Viewer' },
  'POST /projects/{projectId}/tracing-keys': {},
  'POST /projects/{projectId}/traces/{traceId}/comments': { text: 'a comment' },
  'POST /projects/{projectId}/views': { name: 'a view', query: '' },
  'POST /orgs/{orgId}/prices': price,
  'POST /projects/{projectId}/prices': price,
  'POST /projects/{projectId}/prices/reprice': range,
  'POST /projects/{projectId}/prices/reprice/preview': range,
  'POST /auth/session-transfer': { state: '0'.repeat(64) },
}

describe('advisory 27: members of a body never change who acts, or where (Better Auth, CVE-2025-61928)', () => {
  /** Names and values by which other products were attacked, without those that the endpoint declares. */
  function hostile(declared: AnyEndpoint): object {
    const { organizationId, projectId, members } = other
    const person = members.Admin.id
    const all = {
      ...{ id: newId(), user_id: person, userId: person, created_by: person, actor_id: person },
      ...{ org_id: organizationId, orgId: organizationId, organization_id: organizationId },
      ...{ project_id: projectId, projectId, role: 'Owner', roles: ['Owner'] },
      ...{ is_super_admin: true, isSuperAdmin: true, email_verified_at: at, password_hash: 'x' },
    }
    const body = getBody(declared)
    const declaredNames =
      body?.as === 'json' && body.schema instanceof z.ZodObject
        ? Object.keys(body.schema.shape)
        : []
    return Object.fromEntries(Object.entries(all).filter(([name]) => !declaredNames.includes(name)))
  }

  /** What must not change: all of the other organization, and what users may do. */
  async function readProtected() {
    const tables = await readTables(service)
    const foreign = new Set([
      ...[other.organizationId, other.projectId],
      ...Object.values(other.members).map(({ id }) => id),
    ])
    const users = (tables['users'] ?? []).map(
      ({ id, is_super_admin, email_verified_at, password_hash }) => ({
        ...{ id, is_super_admin, email_verified_at, password_hash },
      }),
    )
    const rows = Object.values(tables).map((all) =>
      all.filter((row) => Object.values(row).some((value) => foreign.has(String(value)))),
    )
    const { total } = await service.telemetry.listTraces(other.projectId, { limit: 1, filters: {} })
    return { users, rows, memberships: tables['memberships'], total }
  }

  const actorsSince = async (id: unknown) =>
    (await service.query('select id, actor_id, organization_id from audit_log order by id')).filter(
      (row) => String(row['id']) > String(id),
    )

  const writing = allEndpoints.filter(
    (one) => getAccess(one).by === 'session' && getBody(one)?.as === 'json',
  )

  test.each(named(writing))('%s', async (name, declared) => {
    const before = await readProtected()
    const [last] = await service.query('select max(id) as id from audit_log')
    const valid = validBodies[name]
    const body = { ...valid, ...hostile(declared) }
    const answer = await service.call(declared, { params: paramsOf(declared), body }, owner)
    if (valid !== undefined) expect(answer.status).toBe(declared.success.status)
    expect(await readProtected()).toEqual(before)
    for (const { actor_id, organization_id } of await actorsSince(last?.['id'] ?? '')) {
      expect(actor_id).toBe(own.members.Owner.id)
      expect([own.organizationId, null]).toContain(organization_id)
    }
  })

  test('an ingested trace is stored in the project of the key', async () => {
    const before = await readProtected()
    const spans = [{ span_id: 'a', name: 'a', started_at: at }]
    const body = { trace_id: 'hostile', spans, ...hostile(ingestTrace), user_id: 'a user' }
    const { data } = await service.call(ingestTrace, { body }, own.keyHeader)
    expect(data.project_id).toBe(own.projectId)
    expect(await readProtected()).toEqual(before)
  })

  test('a person who signs up has no role and no rights', async () => {
    const before = await readProtected()
    const email = `${newId()}@x.org`
    const body = { email, password: 'a long enough password', name: 'A', ...hostile(signUp) }
    const { data } = await service.call(signUp, { body })
    expect(data.user).toMatchObject({ email, is_super_admin: false })
    const { users, ...rest } = await readProtected()
    expect(users.filter(({ id }) => id !== data.user.id)).toEqual(before.users)
    expect(users.find(({ id }) => id === data.user.id)).toMatchObject({
      is_super_admin: 0,
      email_verified_at: null,
    })
    expect(rest).toEqual({ ...before, users: undefined })
  })
})
