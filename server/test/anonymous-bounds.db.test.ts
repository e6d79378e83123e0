import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { type AnonymousBounds, openRoutes } from '@assay/contract/anonymous-bounds.ts'
import { type AnyEndpoint, endpointName, isServedBy } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { startSso } from '@assay/contract/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/platform/ids.ts'
import { openMailbox } from './mailbox.ts'
import { startOidcProvider, type TestOidcProvider } from './oidc-provider.ts'
import { readTables } from './read-tables.ts'
import { addSsoTenant, type SsoTenant } from './sso-tenant.ts'
import { readCookie, type Service, startService } from './started-app.ts'

/*
 * Requests without sign-in cost what the contract declares: rows and rate limits are counted here, with requests that
 * get as far as possible without a token, a code or a password.
 */

let service: Service
let provider: TestOidcProvider
let tenant: SsoTenant
const now = new Date()

beforeAll(async () => {
  provider = await startOidcProvider()
  const clock = { now: () => now, monotonicMs: () => 0 }
  service = await startService({ trustProxy: 1, mailer: openMailbox(), clock })
  tenant = await addSsoTenant(service, provider)
  await service.accounts.installation.claim(now.toISOString())
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

interface Attempt {
  readonly query?: object
  readonly body?: object
  readonly send?: Readonly<Record<string, string>>
}

const password = 'a long enough password'
const anAddress = () => `${newId()}@${tenant.domain}`
const token = 'A'.repeat(43)

/** For each anonymous endpoint, the most expensive attempt of a stranger. */
const attempts: Readonly<Record<string, () => Attempt | Promise<Attempt>>> = {
  'GET /setup': () => ({}),
  'POST /setup/check': () => ({ body: { token: 'a guess' } }),
  'POST /setup': () => ({
    body: {
      ...{ token: 'a guess', email: anAddress(), password, name: 'A' },
      ...{ organization_name: 'A', project_name: 'A' },
    },
  }),
  'POST /auth/sign-up': () => ({ body: { email: anAddress(), password, name: 'A' } }),
  'POST /auth/sign-in': () => ({ body: { email: tenant.members.Owner.email, password } }),
  'POST /auth/password-reset/request': () => ({ body: { email: tenant.members.Owner.email } }),
  'POST /auth/password-reset/check': () => ({ body: { token } }),
  'POST /auth/password-reset/confirm': () => ({ body: { token, password } }),
  'POST /auth/session-transfer/start': () => ({}),
  'POST /auth/session-transfer/redeem': () => ({
    body: { code: token },
    send: { cookie: `assay_sign_in=${token}` },
  }),
  'POST /invites/read': () => ({ body: { invite_token: token } }),
  'POST /auth/sso-discovery': () => ({ body: { email: anAddress() } }),
  'GET /auth/sso/start': () => ({ query: { email: anAddress() } }),
  'GET /auth/sso/callback/{orgId}': async () => {
    const { state, cookie } = await startedFlow()
    return { query: { state, code: 'a guess', iss: provider.issuer }, send: { cookie } }
  },
  'POST /auth/sso/acs/{orgId}': async () => ({
    body: { SAMLResponse: 'PGEvPg==', RelayState: (await startedFlow()).state },
  }),
  'GET /auth/sso/complete/{orgId}': async () => {
    const { state, cookie } = await startedFlow()
    return { query: { state }, send: { cookie } }
  },
  'POST /auth/sso/link': () => ({
    body: { password },
    send: { cookie: `assay_sign_in=${token}` },
  }),
  'GET /auth/sso/metadata/{orgId}': () => ({}),
}

async function startedFlow(): Promise<{ readonly state: string; readonly cookie: string }> {
  const { data, headers } = await service.call(startSso, { query: { email: anAddress() } })
  return { state: new URL(data).searchParams.get('state') ?? '', cookie: readCookie(headers) }
}

const anonymous = allEndpoints.flatMap((declared) => {
  const access: Access = declared.access
  return access.by === 'anonymous'
    ? [[endpointName(declared), declared, access.bounds] as const]
    : []
})

async function attemptAt(name: string): Promise<Attempt> {
  const attempt = attempts[name]
  if (attempt === undefined) throw new Error(`attempts has no entry for ${name}`)
  return await attempt()
}

async function send(declared: AnyEndpoint, attempt: Attempt, network: string): Promise<number> {
  const headers = { 'x-forwarded-for': network, ...attempt.send }
  const params = { orgId: tenant.organizationId }
  const { send: _, ...args } = attempt
  return (await service.call(declared, { params, ...args }, headers)).status
}

async function countRows(): Promise<number> {
  const tables = await readTables(service)
  return Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)
}

describe('an endpoint that anybody may call', () => {
  test.each(anonymous)('%s adds at most the declared rows', async (name, declared, bounds) => {
    for (let sent = 0; sent < 3; sent++) {
      const attempt = await attemptAt(name)
      const before = await countRows()
      await send(declared, attempt, `192.0.2.${sent}`)
      expect((await countRows()) - before).toBeLessThanOrEqual(bounds.rowsAdded)
    }
  })

  /** The most requests of a network before it has to wait. */
  const allowed: Readonly<Record<AnonymousBounds['rateLimit'], number>> = {
    none: Number.POSITIVE_INFINITY,
    network: limits.networkSignInAttempts.value,
    lookups: limits.lookups.value,
    token: limits.tokenLookups.value,
    setUp: limits.lookups.value,
    address: limits.signInAttempts.value,
    discovery: limits.ssoDiscoveryPerMinute.value,
    starts: limits.ssoStarts.value,
    posts: limits.samlPosts.value,
  }

  // lookup-limits.db.test.ts covers some. The others count only with a valid flow, or redirect.
  const limited = [
    'POST /auth/sign-in',
    'POST /auth/password-reset/request',
    'POST /auth/password-reset/confirm',
    'POST /auth/sso-discovery',
  ]

  test.each(anonymous.filter(([name]) => limited.includes(name)))(
    '%s has the declared rate limit',
    async (name, declared, bounds) => {
      const statuses: number[] = []
      for (let sent = 0; sent <= allowed[bounds.rateLimit]; sent++) {
        statuses.push(await send(declared, await attemptAt(name), '198.51.100.1'))
      }
      expect(statuses.at(-1)).toBe(429)
    },
  )
})

test.each(['tracing', 'chat'] as const)(
  'no other routes of %s exist than in the contract',
  (product) => {
    const endpoints = allEndpoints
      .filter((one) => isServedBy(product, one))
      .flatMap(({ method, path, compatiblePath }: AnyEndpoint) =>
        [`/api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, compatiblePath ?? []]
          .flat()
          .map((url) => `${method} ${url}`),
      )
    const others = openRoutes.map(({ path }) => `GET ${path}`)
    // The service under test has no built pages.
    const pages = ['GET /', 'GET /*']
    expect([...service.routes(product), ...pages].toSorted()).toEqual(
      [...endpoints, ...others].toSorted(),
    )
  },
)
