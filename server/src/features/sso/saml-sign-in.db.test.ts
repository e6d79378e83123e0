import type { AuditAction } from '@assay/contract/audit.ts'
import { limits } from '@assay/contract/limits.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import {
  acceptSamlResponse,
  finishSaml,
  readSamlMetadata,
  readSsoService,
  startSso,
  testSsoConfig,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../../../test/browser.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../test/oidc-provider.ts'
import { addMember, addUser } from '../../../test/people.ts'
import {
  encoded,
  type ResponseFacts,
  signed,
  unsignedResponse,
} from '../../../test/saml-provider.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'
import { addSsoTenant, newDomain, type SsoTenant } from '../../../test/sso-tenant.ts'
import { type Service, startService } from '../../../test/started-app.ts'
import { hashOfToken } from '../../accounts/secret-token.ts'
import { openLog } from '../../platform/log.ts'
import { deriveRequestId } from './flow.ts'

/*
 * SAML sign-ins over HTTP. The verification of responses is tested beside saml.ts.
 */

const entityId = 'https://idp.corp.test/saml'
const keys = selfSigned('idp.corp.test')

let service: Service
let unused: TestOidcProvider
let now: number | undefined
let logged: string[] = []

beforeAll(async () => {
  unused = await startOidcProvider()
  service = await startService({
    clock: clockAt(() => now ?? Date.now()),
    trustProxy: 1,
    log: openLog('warn', (line) => logged.push(line)),
  })
})
afterAll(async () => {
  await service.stop()
  await unused.stop()
})

const samlBody = {
  protocol: 'saml',
  idp_entity_id: entityId,
  idp_sso_url: 'https://idp.corp.test/sso',
  idp_certificate: keys.certificate,
}

const addSamlTenant = () => addSsoTenant(service, unused, samlBody)
const problem = (code: string) => `/sign-in?problem=${code}`
/** In the browser that started the sign-in, with the page that it was to open. */
const problemWithNext = (code: string) => `${problem(code)}&next=%2Ftraces`

async function readCurrentUser(browser: TestBrowser) {
  const { status, data } = await browser.call(readSession, {})
  return status === 200 ? data.user : undefined
}

/** The RelayState of the redirect to the provider. */
async function startSignIn(tenant: SsoTenant, browser: TestBrowser): Promise<string> {
  const query = { email: `ana@${tenant.domain}`, return_to: '/traces' }
  const { data } = await browser.call(startSso, { query })
  expect(data).toMatch(/^https:\/\/idp\.corp\.test\/sso\?SAMLRequest=/)
  return new URL(data).searchParams.get('RelayState') ?? ''
}

async function formFor(
  tenant: SsoTenant,
  state: string,
  changes: Partial<ResponseFacts> = {},
): Promise<{ SAMLResponse: string; RelayState: string }> {
  const { data } = await service.call(readSsoService, tenant, tenant.owner)
  const xml = unsignedResponse({
    entityId,
    audience: data.saml.sp_entity_id,
    consumer: data.saml.callback_url,
    requestId: deriveRequestId(state),
    attributes: { mail: `ana@${tenant.domain}`, displayName: 'Ana Example' },
    ...changes,
  })
  return { SAMLResponse: encoded(signed(xml, 'Assertion', keys)), RelayState: state }
}

/** Posted from the provider's page, so from another site and without cookies. */
const post = ({ params }: SsoTenant, body: Record<string, string>, from = '192.0.2.1') =>
  service.call(acceptSamlResponse, {
    params,
    body,
    send: {
      ...{ origin: 'https://idp.corp.test', 'sec-fetch-site': 'cross-site' },
      'x-forwarded-for': from,
    },
  })

function complete({ params }: SsoTenant, browser: TestBrowser, location: string) {
  const query = Object.fromEntries(new URL(location, 'http://a').searchParams)
  return browser.call(finishSaml, { params, query })
}

describe('a SAML response', () => {
  test('signs in the browser that requested it, through an address of this service', async () => {
    const tenant = await addSamlTenant()
    const browser = openBrowser(service)
    const state = await startSignIn(tenant, browser)
    const taken = await post(tenant, await formFor(tenant, state))
    expect(taken.data).toBe(`/api/v1/auth/sso/complete/${tenant.organizationId}?state=${state}`)
    expect(taken.headers.getSetCookie()).toEqual([])
    expect(await readCurrentUser(browser)).toBeUndefined()
    expect((await complete(tenant, browser, taken.data)).data).toBe('/traces')
    expect(await readCurrentUser(browser)).toMatchObject({ email: `ana@${tenant.domain}` })
  })

  test('signs in no other browser than the one that started', async () => {
    const tenant = await addSamlTenant()
    const attacker = openBrowser(service)
    const victim = openBrowser(service)
    const state = await startSignIn(tenant, attacker)
    await startSignIn(tenant, victim)
    const { data } = await post(tenant, await formFor(tenant, state))
    for (const browser of [victim, openBrowser(service)]) {
      expect((await complete(tenant, browser, data)).data).toBe(problem('expired'))
      expect(await readCurrentUser(browser)).toBeUndefined()
    }
    expect((await complete(tenant, attacker, data)).data).toBe('/traces')
  })

  test('is accepted once, and so are its assertion and its request', async () => {
    const tenant = await addSamlTenant()
    const browser = openBrowser(service)
    const state = await startSignIn(tenant, browser)
    const form = await formFor(tenant, state, { assertionId: '_the-same' })
    const responses = await Promise.all(Array.from({ length: 5 }, () => post(tenant, form)))
    const taken = responses.filter(({ data }) => data.startsWith('/api/v1/auth/sso/complete/'))
    expect(taken).toHaveLength(1)
    expect(new Set(responses.map(({ data }) => data))).toContain(problemWithNext('expired'))
    expect((await post(tenant, await formFor(tenant, state))).data).toBe(problemWithNext('expired'))

    const other = await startSignIn(tenant, browser)
    const again = await formFor(tenant, other, { assertionId: '_the-same' })
    expect((await post(tenant, again)).data).toBe(problemWithNext('expired'))
    expect((await post(tenant, await formFor(tenant, other))).data).toContain('/complete/')

    expect((await complete(tenant, browser, taken[0]?.data ?? '')).data).toBe('/traces')
    expect((await complete(tenant, browser, taken[0]?.data ?? '')).data).toBe(problem('expired'))
    expect((await post(tenant, form)).data).toBe(problem('expired'))
  })

  test('that was not requested is refused', async () => {
    const tenant = await addSamlTenant()
    for (const state of ['', 'A'.repeat(43), '/traces']) {
      expect((await post(tenant, await formFor(tenant, state))).data).toBe(problem('expired'))
    }
  })

  test('is refused when it answers a request other than that of its flow', async () => {
    const tenant = await addSamlTenant()
    const browser = openBrowser(service)
    const [one, other] = [await startSignIn(tenant, browser), await startSignIn(tenant, browser)]
    const form = { ...(await formFor(tenant, one)), RelayState: other }
    expect((await post(tenant, form)).data).toBe(problemWithNext('invalid_response'))
  })

  test("of another organization's provider is refused, at either address", async () => {
    const tenant = await addSamlTenant()
    const other = await addSamlTenant()
    const state = await startSignIn(tenant, openBrowser(service))
    const forOther = await formFor(other, state)
    expect((await post(tenant, forOther)).data).toBe(problemWithNext('invalid_response'))
    expect((await post(other, forOther)).data).toContain(problem('invalid_response'))
    expect((await post(other, await formFor(tenant, state))).data).toContain(
      problem('invalid_response'),
    )
  })

  test('is not accepted before it was posted, nor after ten minutes', async () => {
    const tenant = await addSamlTenant()
    const early = openBrowser(service)
    const first = await startSignIn(tenant, early)
    expect((await complete(tenant, early, `/?state=${first}`)).data).toBe(
      problemWithNext('expired'),
    )
    const late = openBrowser(service)
    const second = await startSignIn(tenant, late)
    const { data } = await post(tenant, await formFor(tenant, second))
    now = Date.now() + 10 * 60_000
    expect((await complete(tenant, late, data)).data).toBe(problem('expired'))
    now = undefined
  })

  test.each<readonly [what: string, body: Record<string, string>]>([
    ['without a response', { RelayState: 'a' }],
    ['without a state', { SAMLResponse: 'PHg+' }],
    ['beyond measure', { SAMLResponse: 'A'.repeat(600_000), RelayState: 'a' }],
  ])('%s leads to a page that reports it', async (_what, body) => {
    const tenant = await addSamlTenant()
    expect((await post(tenant, body)).data).toBe(problem('invalid_response'))
  })

  test('in another content type, or twice in one form, is refused', async () => {
    const tenant = await addSamlTenant()
    const { params } = tenant
    const state = await startSignIn(tenant, openBrowser(service))
    const form = new URLSearchParams(await formFor(tenant, state)).toString()
    for (const { raw, send } of [
      { raw: `${form}&SAMLResponse=PHg%2B`, send: {} },
      { raw: form, send: { 'content-type': 'text/plain' } },
      {
        raw: JSON.stringify(await formFor(tenant, state)),
        send: { 'content-type': 'application/json' },
      },
      { raw: Uint8Array.of(0xff, 0x3d, 0xff), send: {} },
    ]) {
      const response = await service.call(acceptSamlResponse, {
        params,
        raw,
        send: { 'content-type': 'application/x-www-form-urlencoded', ...send },
      })
      expect(response.data).toBe(problem('invalid_response'))
    }
  })

  test('tests the configuration as a sign-in would', async () => {
    const tenant = await addSamlTenant()
    const boss = await addUser(service.accounts, { email: `boss@${tenant.domain}` })
    await addMember(service.accounts, tenant.organizationId, boss.id, 'Owner')
    const { cookie = '' } = await service.signedIn(boss)
    const browser = openBrowser(service)
    browser.cookies.set('assay_session', cookie.split('=')[1] ?? '')
    const { data } = await browser.call(testSsoConfig, {
      params: tenant.params,
      body: { return_to: '/settings#sso' },
    })
    const state = new URL(data.start_url).searchParams.get('RelayState') ?? ''
    const form = await formFor(tenant, state, { attributes: { mail: boss.email } })
    const taken = await post(tenant, form)
    const finished = await complete(tenant, browser, taken.data)
    expect(finished.data).toBe('/settings?sso_test=ok#sso')
    const body = { ...samlBody, domains: [tenant.domain], enforced: true }
    expect(await browser.call(writeSsoConfig, { params: tenant.params, body })).toMatchObject({
      status: 200,
      data: { enforced: true },
    })
  })
})

function formWith(content: string, state: string): { SAMLResponse: string; RelayState: string } {
  return { SAMLResponse: encoded(forgedXml(content, state)), RelayState: state }
}

function forgedXml(content: string, state: string): string {
  const requestId = deriveRequestId(state)
  const xml = unsignedResponse({ entityId, audience: '', consumer: '', requestId })
  const end = '</saml:AttributeStatement>'
  return signed(xml, 'Assertion', selfSigned('idp.evil.test')).replace(end, content + end)
}

const notXml = (state: string) => ({ SAMLResponse: 'PHg+', RelayState: state })

async function startSignIns(tenant: SsoTenant, count: number): Promise<string[]> {
  const states: string[] = []
  while (states.length < count) states.push(await startSignIn(tenant, openBrowser(service)))
  return states
}

describe('responses that are costly to verify', () => {
  test('beyond what may wait of a network are refused as unavailable, and other networks sign in', async () => {
    const [tenant, other] = [await addSamlTenant(), await addSamlTenant()]
    const [browser, otherBrowser] = [openBrowser(service), openBrowser(service)]
    // Within the limits, and still the most work for the libraries.
    const costly = forgedXml('<a b="" c=""/>'.repeat(1150), 'any')
    const states = await startSignIns(tenant, 30)
    const ownForm = await formFor(tenant, await startSignIn(tenant, browser))
    const otherForm = await formFor(other, await startSignIn(other, otherBrowser))
    const finished: string[] = []
    const posts = states.map(async (state) => {
      const xml = costly.replaceAll(deriveRequestId('any'), deriveRequestId(state))
      const { data } = await post(tenant, { SAMLResponse: encoded(xml), RelayState: state })
      finished.push(data)
    })
    const [own, taken] = await Promise.all([
      post(tenant, ownForm, '192.0.2.2'),
      post(other, otherForm, '192.0.2.3'),
    ])
    const verifiedBefore = finished.filter((page) => page === problemWithNext('invalid_response'))
    expect((await complete(tenant, browser, own.data)).data).toBe('/traces')
    expect((await complete(other, otherBrowser, taken.data)).data).toBe('/traces')
    expect(verifiedBefore.length).toBeLessThan(limits.samlResponsesOfNetwork.value)
    await Promise.all(posts)
    expect(new Set(finished)).toEqual(
      new Set([problemWithNext('invalid_response'), problemWithNext('unavailable')]),
    )
    const waited = finished.filter((page) => page === problemWithNext('invalid_response'))
    expect(waited.length).toBeGreaterThanOrEqual(limits.samlResponsesOfNetwork.value)
  })

  test('are refused unread when they exceed the limits, which is logged', async () => {
    const tenant = await addSamlTenant()
    const state = await startSignIn(tenant, openBrowser(service))
    logged = []
    const { data } = await post(tenant, formWith('<a/>'.repeat(40_000), state))
    expect(data).toBe(problemWithNext('invalid_response'))
    expect(logged.join()).toContain('SAML response: more than 1200 elements and comments')
  })
})

test('responses to a sign-in are verified a few times, and then it has to be started again', async () => {
  const tenant = await addSamlTenant()
  const browser = openBrowser(service)
  const state = await startSignIn(tenant, browser)
  for (let n = 0; n < limits.samlResponsesOfSignIn.value; n += 1) {
    const { data } = await post(tenant, notXml(state), `192.0.2.${n}`)
    expect(data).toBe(problemWithNext('invalid_response'))
  }
  const late = await post(tenant, await formFor(tenant, state))
  expect(late.data).toBe(problemWithNext('expired'))
  const flow = await service.accounts.ssoFlows.find(hashOfToken(state))
  expect(flow?.asserted_identity).toBeNull()
  const again = await formFor(tenant, await startSignIn(tenant, browser))
  expect((await complete(tenant, browser, (await post(tenant, again)).data)).data).toBe('/traces')
})

// Counters in PostgreSQL have the time of the database.
test.skipIf(inject('isScaled'))(
  'responses of a network beyond its limit are refused, and other networks sign in',
  async () => {
    const tenant = await addSamlTenant()
    const from = '198.51.100.7'
    const form = await formFor(tenant, await startSignIn(tenant, openBrowser(service)))
    now = Date.now()
    const posts = Array.from({ length: limits.samlPosts.value }, () =>
      post(tenant, notXml('unknown'), from),
    )
    const pages = (await Promise.all(posts)).map(({ data }) => data)
    expect(new Set(pages)).toEqual(new Set([problem('expired')]))
    expect((await post(tenant, form, from)).data).toBe(problem('unavailable'))
    expect((await post(tenant, {}, from)).data).toBe(problem('unavailable'))
    expect((await post(tenant, form, '198.51.100.8')).data).toContain('/complete/')
    now = undefined
  },
)

// Counters in PostgreSQL have the time of the database.
describe.skipIf(inject('isScaled'))(
  'refused responses write a limited number of entries in the audit log',
  () => {
    beforeAll(() => {
      now = Date.now()
    })
    afterAll(() => {
      now = undefined
    })
    const refusals = limits.refusedSignInsPerMinute.value + 10
    const countEntries = async ({ organizationId }: SsoTenant, action: AuditAction) =>
      (await service.accounts.audit.list(organizationId, { limit: 100, action })).length

    test('to sign-ins', async () => {
      const tenant = await addSamlTenant()
      for (const state of await startSignIns(tenant, refusals)) {
        const { data } = await post(tenant, notXml(state))
        expect(data).toBe(problemWithNext('invalid_response'))
      }
      expect(await countEntries(tenant, 'session.refused')).toBe(
        limits.refusedSignInsPerMinute.value,
      )
    })

    test('to tests', async () => {
      const tenant = await addSamlTenant()
      const test = { params: tenant.params, body: {} }
      for (let n = 0; n < refusals; n += 1) {
        const { data } = await service.call(testSsoConfig, test, tenant.owner)
        const state = new URL(data.start_url).searchParams.get('RelayState') ?? ''
        const refused = await post(tenant, notXml(state))
        expect(refused.data).toBe('/?sso_test=invalid_response')
      }
      expect(await countEntries(tenant, 'sso_config.tested')).toBe(
        limits.refusedSignInsPerMinute.value,
      )
    })
  },
)

describe('the metadata', () => {
  test('does not depend on whether the organization exists, and is served at no other address', async () => {
    const orgId = '5f1f4a6e-0000-4000-8000-000000000001'
    const { status, data, headers } = await service.call(readSamlMetadata, { params: { orgId } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml'])
    expect(data).toContain(`entityID="http://localhost:4600/api/v1/auth/sso/metadata/${orgId}"`)
    expect(data).toContain(`Location="http://localhost:4600/api/v1/auth/sso/acs/${orgId}"`)
    for (const other of ['x', `${orgId}0`, '"><script>', newDomain()]) {
      const response = await service.call(readSamlMetadata, { params: { orgId: other } })
      expect(response).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    }
  })
})
