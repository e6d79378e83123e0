import { createHash, randomUUID } from 'node:crypto'
import type { SignInProblem } from '@assay/contract/sign-in-problems.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type OidcAnswers,
  oidcClient,
  startOidcProvider,
  type TestOidcProvider,
} from '../../../test/oidc-provider.ts'
import { systemClock } from '../../platform/clock.ts'
import { allowedDestinations, nothingAllowed } from '../../platform/network-rules.ts'
import { openOutbound } from '../../platform/outbound-fetch.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import type { SsoConfigRow } from '../../storage/accounts/sso-tables.ts'
import { deriveCodeVerifier, type Flow } from './flow.ts'
import { type Oidc, openOidc } from './oidc.ts'
import { secretPlace } from './save-config.ts'

/*
 * The provider's side of the flow, correct and hostile. The browser's side is tested over HTTP.
 */

const box = openSecretBox(['the master secret of these tests'])
const callbackUrl = 'https://assay.test/api/v1/auth/sso/callback/an-organization'

let provider: TestOidcProvider
let oidc: Oidc

beforeAll(async () => {
  provider = await startOidcProvider()
})
afterEach(() => provider.answer())
afterAll(() => provider.stop())

function opened(allowed = allowedDestinations(['127.0.0.0/8']) ?? nothingAllowed): Oidc {
  const outbound = openOutbound({
    allowed,
    plainHttp: 'allowed',
    timeoutMs: 2000,
    maxBytes: 100_000,
  })
  return openOidc({ outbound, box, clock: systemClock })
}

function toConfig(changes: Partial<SsoConfigRow> = {}): SsoConfigRow {
  const ids = { id: randomUUID(), organization_id: 'an-organization' }
  return {
    ...ids,
    protocol: 'oidc',
    issuer: provider.issuer,
    client_id: oidcClient.id,
    client_secret: box.seal(oidcClient.secret, secretPlace(ids)),
    client_secret_set_at: 'once',
    idp_entity_id: null,
    idp_sso_url: null,
    idp_certificate: null,
    enforced: 0,
    default_role: 'Viewer',
    created_at: '',
    updated_at: '',
    ...changes,
  }
}

let flows = 0

/** Runs the flow from the authorization URL to the asserted identity. */
async function throughProvider(
  config: SsoConfigRow,
  back = (answer: URLSearchParams): URLSearchParams => answer,
) {
  oidc = opened()
  flows += 1
  const flow: Flow = { state: `state-${flows}`, browser: 'the secret of the browser' }
  const url = await oidc.authorizationUrl({ config, flow, callbackUrl }, 'ana@corp.test')
  const answer = back(provider.authorize(url))
  return await oidc.asserted({ config, flow, callbackUrl }, Object.fromEntries(answer))
}

const ana = {
  subject: 'subject-1',
  email: 'ana@corp.test',
  name: 'Ana Example',
}

describe('a well-behaved provider', () => {
  test('receives state, nonce and a challenge, and is accepted', async () => {
    const config = toConfig()
    oidc = opened()
    const flow: Flow = { state: 'the state', browser: 'the secret of the browser' }
    const url = new URL(await oidc.authorizationUrl({ config, flow, callbackUrl }, 'ana@corp.test'))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: oidcClient.id,
      redirect_uri: callbackUrl,
      scope: 'openid email profile',
      state: 'the state',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(deriveCodeVerifier(flow)).digest('base64url'),
      login_hint: 'ana@corp.test',
    })
    expect(url.href).not.toContain(deriveCodeVerifier(flow))
    const answer = Object.fromEntries(provider.authorize(url.href))
    expect(await oidc.asserted({ config, flow, callbackUrl }, answer)).toEqual({
      issuer: provider.issuer,
      ...ana,
    })
    const sent = provider.requests.find(({ path }) => path === '/token')
    expect(new URLSearchParams(sent?.body).get('code_verifier')).toBe(deriveCodeVerifier(flow))
  })

  test('gets the secret with a method that it supports', async () => {
    await throughProvider(toConfig())
    const basic = provider.requests.find(({ path }) => path === '/token')
    expect(basic?.authorization).toMatch(/^Basic /)
    expect(basic?.body).not.toContain('client_secret')

    const discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    provider.answer({ discovery })
    await throughProvider(toConfig())
    const posted = provider.requests.find(({ path }) => path === '/token')
    expect(posted?.authorization).toBe('')
    expect(new URLSearchParams(posted?.body).get('client_secret')).toBe(oidcClient.secret)

    provider.answer()
    await throughProvider(toConfig({ client_secret: null, client_secret_set_at: null }))
    const none = provider.requests.find(({ path }) => path === '/token')
    expect([none?.authorization, none?.body.includes('client_secret')]).toEqual(['', false])
  })

  test('may return the address by userinfo only', async () => {
    provider.answer({
      claims: { email: undefined, name: undefined },
      userinfo: { email: 'ana@corp.test', email_verified: true, name: 'Ana Example' },
    })
    expect(await throughProvider(toConfig())).toMatchObject(ana)
  })

  test('may authorize this client by name, and have a clock that is a little fast', async () => {
    provider.answer({ claims: { azp: oidcClient.id, iat: secondsFromNow(30) } })
    expect(await throughProvider(toConfig())).toMatchObject(ana)
  })

  test('is discovered at intervals, and at once when the configuration changes', async () => {
    const config = toConfig()
    oidc = opened()
    const flow: Flow = { state: 'a state', browser: 'a browser' }
    const go = (of: SsoConfigRow) =>
      oidc.authorizationUrl({ config: of, flow, callbackUrl }, undefined)
    await go(config)
    await go(config)
    expect(provider.requests).toHaveLength(1)
    await go({ ...config, client_secret_set_at: 'again' })
    expect(provider.requests).toHaveLength(2)
  })

  test('is discovered again after a failure', async () => {
    const config = toConfig()
    oidc = opened()
    const flow: Flow = { state: 'a state', browser: 'a browser' }
    provider.answer({ redirectTo: 'https://elsewhere.test/' })
    const go = () => oidc.authorizationUrl({ config, flow, callbackUrl }, undefined)
    await expect(go()).rejects.toThrow()
    provider.answer()
    await expect(go()).resolves.toContain('/authorize?')
  })
})

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

interface Hostile extends Partial<OidcAnswers> {
  readonly back?: (answer: URLSearchParams) => URLSearchParams
  /** The problem shown to the person; by default that the response cannot be trusted. */
  readonly expectedProblem?: SignInProblem
}

const changed = (name: string, value: string | undefined) => (answer: URLSearchParams) => {
  if (value === undefined) answer.delete(name)
  else answer.set(name, value)
  return answer
}

describe('a provider is refused', () => {
  test.each<readonly [what: string, hostile: Hostile]>([
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['with an ID token for another client', { claims: { aud: 'another client' } }],
    [
      'with an ID token for two clients that authorizes the other one',
      { claims: { aud: ['assay', 'b'], azp: 'b' } },
    ],
    ['with an ID token that authorizes another client', { claims: { azp: 'another client' } }],
    ['with an ID token issued in the future', { claims: { iat: secondsFromNow(120) } }],
    ['with an ID token of another issuer', { claims: { iss: 'https://other.test' } }],
    ['with an ID token that has expired', { claims: { exp: 1_700_000_000 } }],
    ['with an ID token that is not valid yet', { claims: { nbf: 4_000_000_000 } }],
    ['with an ID token without a subject', { claims: { sub: undefined } }],
    ['with an unsigned ID token', { signature: 'none' }],
    ['with an ID token signed with the client’s secret', { signature: 'client secret' }],
    ['with an ID token signed by another key', { signature: 'another key' }],
    ['without an ID token', { token: { id_token: undefined } }],
    ['with a malformed ID token', { token: { id_token: 'a.b.c' } }],
    ['that responds as another issuer', { back: changed('iss', 'https://other.test') }],
    [
      'that omits the issuer from the response although it advertises it',
      { back: changed('iss', undefined) },
    ],
    ['that responds with another state', { back: changed('state', 'another') }],
    ['that responds without a state', { back: changed('state', undefined) }],
    ['that responds without a code', { back: changed('code', undefined) }],
    [
      'whose userinfo is about another subject',
      { claims: { email: undefined }, userinfo: { sub: 'subject-2', email: 'boss@corp.test' } },
    ],
    [
      'that denies the address',
      { claims: { email_verified: false }, expectedProblem: 'no_address' },
    ],
    [
      'that denies the address with the text "false"',
      { claims: { email_verified: 'false' }, expectedProblem: 'no_address' },
    ],
    [
      'with an address that is not a text',
      { claims: { email: ['ana@corp.test'] }, expectedProblem: 'no_address' },
    ],
    [
      'that returns no address at all',
      { claims: { email: undefined }, expectedProblem: 'no_address' },
    ],
    ['with a subject that is too long', { claims: { sub: 'x'.repeat(513) } }],
    [
      'that responds with an error',
      { back: changed('error', 'access_denied'), expectedProblem: 'refused' },
    ],
  ])('%s', async (_what, { back, expectedProblem = 'invalid_response', ...responses }) => {
    provider.answer(responses)
    await expect(throughProvider(toConfig(), back)).rejects.toMatchObject({
      name: 'SignInRefused',
      problem: expectedProblem,
    })
  })

  test('that responds with an error, by its code and without its message', async () => {
    for (const [error, expectedProblem] of [
      ['access_denied', 'the provider responded with access_denied'],
      ['<script>', 'the provider responded with an error'],
    ] as const) {
      await expect(throughProvider(toConfig(), changed('error', error))).rejects.toMatchObject({
        problem: 'refused',
        message: expectedProblem,
      })
    }
  })

  test.each([
    ['lists', `[${Array(5000).fill('[]').join()}]`],
    ['levels', `${'['.repeat(33)}${']'.repeat(33)}`],
  ])('whose documents have too many %s', async (_what, nested) => {
    const extra = JSON.parse(nested) as unknown
    const endpoints = [
      { path: 'discovery', answers: { discovery: { extra } } },
      { path: 'token', answers: { token: { extra } } },
      { path: 'userinfo', answers: { claims: { email: undefined }, userinfo: { extra } } },
    ]
    for (const { path, answers } of endpoints) {
      provider.answer(answers)
      await expect(throughProvider(toConfig()), path).rejects.toMatchObject({
        problem: 'invalid_response',
        message: expect.stringContaining('objects and arrays'),
      })
    }
  })

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'whose %s is too long',
    async (endpoint) => {
      const long = `${provider.issuer}/${'x'.repeat(2048)}`
      provider.answer({ discovery: { [endpoint]: long } })
      await expect(throughProvider(toConfig())).rejects.toMatchObject({
        problem: 'invalid_response',
        message: `${endpoint} has more than 2048 characters`,
      })
    },
  )

  test('that claims another issuer in its discovery', async () => {
    provider.answer({ discovery: { issuer: 'https://other.test' } })
    await expect(throughProvider(toConfig())).rejects.toMatchObject({ problem: 'invalid_response' })
  })
})

describe('endpoints from discovery are subject to the same rules (CVE-2026-53513)', () => {
  const inside = 'http://10.0.0.1:1'
  test.each([
    ['token endpoint', { token_endpoint: `${inside}/token` }, {}],
    ['token endpoint of a cloud', { token_endpoint: 'http://169.254.169.254/token' }, {}],
    ['keys', { jwks_uri: `${inside}/jwks` }, {}],
    ['userinfo', { userinfo_endpoint: `${inside}/userinfo` }, { email: undefined }],
  ])('%s', async (_what, discovery, claims) => {
    provider.answer({ discovery, claims })
    await expect(throughProvider(toConfig())).rejects.toMatchObject({
      problem: 'unreachable',
      message: expect.stringContaining('private network'),
    })
  })

  test.each(['token_endpoint', 'authorization_endpoint', 'jwks_uri'])(
    '%s, which must not be a file URL',
    async (endpoint) => {
      provider.answer({ discovery: { [endpoint]: 'file:///etc/passwd' } })
      await expect(throughProvider(toConfig())).rejects.toMatchObject({
        problem: 'invalid_response',
      })
    },
  )

  test('the issuer, which receives no request', async () => {
    oidc = opened(nothingAllowed)
    const flow: Flow = { state: 'a state', browser: 'a browser' }
    provider.answer()
    await expect(
      oidc.authorizationUrl({ config: toConfig(), flow, callbackUrl }, undefined),
    ).rejects.toMatchObject({ problem: 'unreachable' })
    expect(provider.requests).toEqual([])
  })

  test('a redirect to a private address is not followed (CVE-2026-45400)', async () => {
    for (const redirectTo of [`${provider.issuer}/jwks`, 'http://169.254.169.254/', inside]) {
      provider.answer({ redirectTo })
      await expect(throughProvider(toConfig())).rejects.toMatchObject({ name: 'SignInRefused' })
      expect(provider.requests.map(({ path }) => path)).toEqual([
        '/.well-known/openid-configuration',
      ])
    }
  })
})
