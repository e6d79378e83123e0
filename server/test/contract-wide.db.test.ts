import type { Access, Role } from '@assay/contract/access.ts'
import { hasPermission, roles } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import type { AnyEndpoint, Body } from '@assay/contract/endpoint.ts'
import { endpointName, invalidCode, replyForm } from '@assay/contract/endpoint.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { changePassword } from '@assay/contract/profile.ts'
import { discoverSso } from '@assay/contract/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newProject } from '../src/accounts/project.ts'
import { newId } from '../src/platform/ids.ts'
import { addUser, type Tenant } from './people.ts'
import { listRefusedValues } from './refused-values.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'
import { unfinishedBodies } from './unfinished-bodies.ts'

/*
 * Rules that hold for every endpoint, including future ones: these suites loop over the contract.
 */

const service = runningService()
let own: Tenant
let other: Tenant
let people: Readonly<Record<string, Credentials>>

beforeAll(async () => {
  own = await service.addTenant()
  other = await service.addTenant()
  await fillProjects(own.organizationId)
  const admin = await addUser(service.accounts, { superAdmin: true })
  const nobody = await addUser(service.accounts)
  people = {
    ...Object.fromEntries(
      await Promise.all(
        roles.map(async (role) => [role, await service.signedIn(own.members[role])]),
      ),
    ),
    'super admin': await service.signedIn(admin),
    'member of another organization': await service.signedIn(other.members.Owner),
    'person without organization': await service.signedIn(nobody),
  }
})

/** To the limit: whoever may create a sample project is let in and refused, which is quicker than its data. */
async function fillProjects(organizationId: string): Promise<void> {
  await service.accounts.transaction(async ({ projects }) => {
    const most = limits.projectsPerOrganization.value
    for (let count = await projects.count(organizationId); count < most; count += 1) {
      await projects.insert(
        newProject(organizationId, 'x', newId(), '2026-01-01T00:00:00.000Z').row,
      )
    }
  })
}

const named = (endpoints: readonly AnyEndpoint[]) =>
  endpoints.map((one) => [endpointName(one), one] as const)
const getAccess = (declared: AnyEndpoint): Access => declared.access
const getBody = (declared: AnyEndpoint): Body | undefined => declared.body

const bySession = allEndpoints.filter((one) => getAccess(one).by === 'session')
const byKey = allEndpoints.filter((one) => getAccess(one).by === 'tracing-key')
const withJson = allEndpoints.filter((one) => getBody(one)?.as === 'json')
const unsafe = allEndpoints.filter(
  (one) =>
    one.method !== 'GET' && getAccess(one).by !== 'tracing-key' && one.fromOtherSites !== true,
)

const nobody = '00000000-0000-4000-8000-000000000000'

function paramsIn(tenant: Tenant) {
  return {
    orgId: tenant.organizationId,
    projectId: tenant.projectId,
    ...{
      keyId: nobody,
      userId: nobody,
      inviteId: nobody,
      accessId: nobody,
      sessionId: nobody,
      viewId: nobody,
      evaluatorId: nobody,
      collectionId: nobody,
      ruleId: nobody,
      runId: nobody,
      scoreId: nobody,
      commentId: nobody,
      priceId: nobody,
      jobId: nobody,
      scenarioId: nobody,
      configId: nobody,
      conversationId: nobody,
      messageId: nobody,
      queueId: nobody,
    },
    traceId: 'no such trace',
    spanId: 'no such span',
    name: 'no such metric',
    domain: 'no-such.example',
  }
}

/** Credentials that pass the guard of any endpoint. */
function admitted(declared: AnyEndpoint): Credentials {
  const access = getAccess(declared)
  if (access.by === 'tracing-key') return own.keyHeader
  const isOfPlatform = 'of' in access && access.of === 'platform'
  return people[isOfPlatform ? 'super admin' : 'Owner'] ?? {}
}

describe('every endpoint that needs a session', () => {
  test.each(named(bySession))('%s refuses an anonymous caller', async (_name, declared) => {
    const answer = await service.call(declared, { params: paramsIn(own) })
    expect(answer).toMatchObject({
      status: 401,
      error:
        declared.refusals === 'chat'
          ? { code: 'UNAUTHENTICATED', message: 'Sign in to continue.' }
          : { code: 'UNAUTHORIZED', message: 'Authentication required.' },
    })
  })

  test.each(named(bySession))(
    '%s refuses a tracing key by either header',
    async (_name, declared) => {
      for (const as of [own.keyHeader, { authorization: `Bearer ${own.tracingKey}` }]) {
        expect((await service.call(declared, { params: paramsIn(own) }, as)).status).toBe(401)
      }
    },
  )
})

describe('every endpoint that needs a tracing key', () => {
  const unknown = `tk_live_${'0'.repeat(48)}`
  test.each(named(byKey))(
    '%s refuses a missing, malformed or unknown key, and a session',
    async (_name, declared) => {
      const before = await tracesStored()
      const cases: readonly [Credentials, string][] = [
        [{}, 'Tracing key required.'],
        [people['Owner'] ?? {}, 'Tracing key required.'],
        [{ 'x-tracing-key': 'tk_live_1' }, 'Invalid tracing key format.'],
        [
          { authorization: 'Bearer nope', 'x-tracing-key': own.tracingKey },
          'Invalid tracing key format.',
        ],
        [{ authorization: `Bearer ${unknown}` }, 'Invalid or revoked tracing key.'],
      ]
      for (const [as, message] of cases) {
        const answer = await service.call(declared, { body: aTrace }, as)
        expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED', message } })
      }
      expect(await tracesStored()).toBe(before)
    },
  )
})

const aTrace = {
  trace_id: 'a',
  spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
}

async function tracesStored(): Promise<number | null> {
  const { total } = await service.telemetry.listTraces(own.projectId, { limit: 1, filters: {} })
  return total
}

/** Where other endpoints respond with `status`, those of chat have a code of their own. */
function refusedBody(declared: AnyEndpoint, status: number) {
  const isChat = declared.refusals === 'chat'
  return {
    status: isChat ? 400 : status,
    error: { code: isChat ? 'INVALID_BODY' : 'VALIDATION_ERROR' },
  }
}

describe('every endpoint with a JSON body', () => {
  test.each(named(withJson))(
    '%s responds to malformed JSON as declared',
    async (_name, declared) => {
      const body = getBody(declared)
      if (body?.as !== 'json') throw new Error('no JSON body')
      for (const raw of ['{', 'undefined', '{"a":1,}', Uint8Array.of(0xff)]) {
        const answer = await service.call(
          declared,
          { params: paramsIn(own), raw },
          admitted(declared),
        )
        expect(answer).toMatchObject({
          status: body.malformed,
          error: {
            code: body.malformed === 500 ? 'INTERNAL_ERROR' : invalidCode(declared, 'body'),
          },
        })
      }
    },
  )

  test.each(named(withJson))(
    '%s reports what is wrong with a body of the wrong type',
    async (_name, declared) => {
      for (const raw of ['null', '[]', '"text"', '7', 'true']) {
        const answer = await service.call(
          declared,
          { params: paramsIn(own), raw },
          admitted(declared),
        )
        expect(answer).toMatchObject({
          status: 400,
          error: { code: invalidCode(declared, 'body') },
        })
      }
    },
  )

  test.each(named(withJson))(
    '%s accepts no other content type and no encoding',
    async (_name, declared) => {
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json garbage',
        'multipart/form-data',
      ]
      for (const send of [
        ...types.map((type) => ({ 'content-type': type })),
        { 'content-encoding': 'gzip' },
      ]) {
        const answer = await service.call(
          declared,
          { params: paramsIn(own), raw: '{}', send },
          admitted(declared),
        )
        expect(answer).toMatchObject(refusedBody(declared, 415))
      }
    },
  )

  test.each(named(withJson))('%s stops reading at its limit', async (_name, declared) => {
    const { maxBytes } = getBody(declared) ?? { maxBytes: 0 }
    const raw = new Uint8Array(maxBytes + 1).fill(0x20)
    const answer = await service.call(declared, { params: paramsIn(own), raw }, admitted(declared))
    expect(answer).toMatchObject(refusedBody(declared, 413))
  })

  test.each(named(withJson))('%s ignores keys that name prototypes', async (_name, declared) => {
    const raw = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    await service
      .call(declared, { params: paramsIn(own), raw }, admitted(declared))
      .catch(() => undefined)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('every endpoint with a parameter that does not accept every text', () => {
  const withErrors = allEndpoints.filter((one) => replyForm(one) !== 'redirect')
  const cases = withErrors.flatMap((declared) =>
    listRefusedValues(declared).map(
      (refused) => [endpointName(declared), refused.field, refused, declared] as const,
    ),
  )

  test.each(cases)('%s refuses an invalid %s', async (_name, field, { part, value }, declared) => {
    const parts = { params: paramsIn(own), query: {} }
    const args = { ...parts, [part]: { ...parts[part], [field]: value } }
    const answer = await service.call(declared, args, admitted(declared))
    const code = part === 'query' ? invalidCode(declared, part) : 'VALIDATION_ERROR'
    expect(answer).toMatchObject({ status: 400, error: { code } })
    expect(answer.error.message).toContain(field)
  })
})

test('every endpoint that needs no sign-in limits its JSON body to the size for anybody', () => {
  const anonymous = withJson.filter((one) => getAccess(one).by === 'anonymous')
  const larger = anonymous.filter(
    (one) => getBody(one)?.maxBytes !== limits.anonymousBodyBytes.value,
  )
  expect(larger.map(endpointName)).toEqual([])
})

describe('every endpoint with a JSON body, while its caller sends as much as it may', () => {
  const bodies = unfinishedBodies(() => service)
  afterAll(() => bodies.abandon())

  /** For each kind of caller, an endpoint that reads its body, and the size of the largest. */
  const largest = {
    anonymous: [discoverSso.path, limits.anonymousBodyBytes.value],
    session: [changePassword.path, limits.jsonBodyBytes.value],
    'tracing-key': [ingestTrace.path, limits.ingestBodyBytes.value],
  } as const

  test.each(named(withJson))('%s refuses a body', async (_name, declared) => {
    const who = admitted(declared)
    const raw = ' '.repeat(1000)
    // The first test of a caller fills its share; for the others it is full.
    const refused = async () => {
      const answer = await service.call(declared, { params: paramsIn(own), raw }, who)
      if (answer.status !== 503) await bodies.start(...largest[getAccess(declared).by], who)
      return [answer.status, answer.error?.code]
    }
    await expect.poll(refused, { timeout: 15_000, interval: 1 }).toEqual([503, 'INTERNAL_ERROR'])
  })
})

describe('every unsafe endpoint of the web app', () => {
  test.each(named(unsafe))('%s refuses cross-site requests', async (_name, declared) => {
    for (const send of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await service.call(declared, { params: paramsIn(own), send }, people['Owner'])
      expect(answer).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    }
  })
})

describe('every platform endpoint', () => {
  const ofPlatform = allEndpoints.filter((one) => {
    const access = getAccess(one)
    return 'of' in access && access.of === 'platform'
  })

  test.each(named(ofPlatform))('%s admits super admins only', async (_name, declared) => {
    const call = (person: string) =>
      service.call(
        declared,
        { params: paramsIn(own), body: getBody(declared) && {} },
        people[person],
      )
    for (const person of [...roles, 'person without organization']) {
      expect(await call(person)).toMatchObject({
        status: 403,
        error: { code: 'FORBIDDEN', message: 'Insufficient permissions.' },
      })
    }
    expect([401, 403]).not.toContain((await call('super admin')).status)
  })
})

describe('every endpoint of an organization or a project', () => {
  const guarded = allEndpoints.filter((one) => {
    const access = getAccess(one)
    return 'of' in access && access.of !== 'platform'
  })

  test.each(named(guarded))('%s admits exactly the declared roles', async (_name, declared) => {
    for (const role of roles) {
      expect([role, await outcome(declared, own, role)]).toEqual([
        role,
        expectedFor(declared, role),
      ])
    }
    expect(await outcome(declared, own, 'super admin')).toBe('let in')
  })

  test.each(named(guarded))(
    '%s reveals nothing to non-members, not even its existence',
    async (_name, declared) => {
      for (const person of ['member of another organization', 'person without organization']) {
        const refused = await service.call(declared, { params: paramsIn(own) }, people[person])
        const absent = await service.call(declared, { params: nowhere }, people[person])
        expect(refused).toMatchObject(outsiderResponse(declared))
        expect(absent.error).toEqual(refused.error)
      }
    },
  )

  const nowhere = {
    ...paramsIn({
      organizationId: '00000000-0000-4000-8000-000000000001',
      projectId: 'not even an id',
    } as Tenant),
  }

  function outsiderResponse(declared: AnyEndpoint) {
    const access = getAccess(declared)
    return 'of' in access && access.of === 'project'
      ? { status: 404, error: { code: 'PROJECT_NOT_FOUND', message: 'Project not found.' } }
      : {
          status: 403,
          error: { code: 'FORBIDDEN', message: 'You do not have access to this organization.' },
        }
  }

  function expectedFor(declared: AnyEndpoint, role: Role): string {
    const access = getAccess(declared)
    const anyOf = 'anyOf' in access ? access.anyOf : undefined
    const isAllowed = anyOf?.some((permission) => hasPermission(role, permission)) ?? true
    return isAllowed ? 'let in' : 'Insufficient permissions.'
  }

  /** Whether a member passes the guard, whatever the handler then returns. */
  async function outcome(declared: AnyEndpoint, tenant: Tenant, person: string): Promise<string> {
    if (declared.reply === 'events') return streamOutcome(declared, tenant, person)
    const answer = await service.call(
      declared,
      { params: paramsIn(tenant), body: getBody(declared) && {} },
      people[person],
    )
    if (answer.status !== 401 && answer.status !== 403) return 'let in'
    return answer.error.message
  }

  async function streamOutcome(
    declared: AnyEndpoint,
    tenant: Tenant,
    person: string,
  ): Promise<string> {
    const path = declared.path.replace('{projectId}', tenant.projectId)
    const leave = new AbortController()
    const response = await fetch(service.api + path, {
      headers: people[person] ?? {},
      signal: leave.signal,
    })
    leave.abort()
    return response.status === 200 ? 'let in' : String(response.status)
  }
})
