import {
  acceptSamlResponse,
  finishOidc,
  finishSaml,
  removeSsoConfig,
  startSso,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../../../test/browser.ts'
import { startOidcProvider } from '../../../test/oidc-provider.ts'
import { problemPath, ssoSuite } from '../../../test/sso-suite.ts'
import { addSsoTenant, oidcBody, type SsoTenant } from '../../../test/sso-tenant.ts'

const sso = ssoSuite()

describe('the callback', () => {
  async function startSignIn(tenant: SsoTenant, browser = openBrowser(sso.service)) {
    const email = `ana@${tenant.domain}`
    const { data } = await browser.call(startSso, { query: { email } })
    return { browser, back: Object.fromEntries(sso.provider.authorize(data, { email })), url: data }
  }
  const finish = (
    browser: TestBrowser,
    tenant: SsoTenant,
    query: Record<string, string | undefined>,
  ) => browser.call(finishOidc, { ...tenant, query })

  test('of another browser creates no session, with any state (CVE-2025-65107)', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const attacker = await startSignIn(tenant)
    const victim = await startSignIn(tenant)
    const bystander = openBrowser(sso.service)
    for (const [browser, query] of [
      [bystander, attacker.back],
      [victim.browser, attacker.back],
      [victim.browser, { ...victim.back, state: undefined }],
      [victim.browser, { ...victim.back, state: 'A'.repeat(43) }],
      [victim.browser, {}],
    ] as const) {
      const answer = await finish(browser, tenant, query)
      expect(answer.data).toBe(problemPath('expired'))
      expect(await sso.readCurrentUser(browser)).toBeUndefined()
    }
    expect((await finish(victim.browser, tenant, victim.back)).data).toBe('/')
  })

  test('is accepted once', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser, back } = await startSignIn(tenant)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => finish(browser, tenant, back)),
    )
    expect(responses.map(({ data }) => data).sort()).toEqual([
      '/',
      ...Array.from({ length: 4 }, () => problemPath('expired')),
    ])
  })

  test('works from several tabs of one browser', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const first = await startSignIn(tenant)
    const second = await startSignIn(tenant, first.browser)
    expect((await finish(first.browser, tenant, first.back)).data).toBe('/')
    expect((await finish(first.browser, tenant, second.back)).data).toBe('/')
  })

  test('expires after ten minutes', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser, back } = await startSignIn(tenant)
    sso.setTime(Date.now() + 10 * 60_000)
    expect((await finish(browser, tenant, back)).data).toBe(problemPath('expired'))
  })

  test('is refused when the configuration was changed or removed in the meantime', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const changed = await startSignIn(tenant)
    const body = oidcBody(sso.provider, tenant.domain)
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect((await finish(changed.browser, tenant, changed.back)).data).toBe(problemPath('changed'))
    const removed = await startSignIn(tenant)
    await sso.service.call(removeSsoConfig, { params: tenant.params }, tenant.owner)
    expect((await finish(removed.browser, tenant, removed.back)).data).toBe(problemPath('expired'))
  })

  test('reports a refusal by a problem code, without values of the provider', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser, back } = await startSignIn(tenant)
    const { code: _, ...answer } = back
    const error = '<script>alert(1)</script>'
    const refused = await finish(browser, tenant, {
      ...answer,
      error,
      error_description: error,
    })
    expect(refused.data).toBe(problemPath('refused'))
    expect(refused.headers.get('referrer-policy')).toBe('no-referrer')
    expect(refused.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    'https://evil.test',
    '/%0d%0aset-cookie:a=b\n',
    'javascript:alert(1)',
    ' /traces',
    '',
  ])('leads only to pages of this service: %j', async (returnTo) => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { location } = await sso.through(tenant, `ana@${tenant.domain}`, { returnTo })
    expect(location).toBe('/')
  })

  test('prefills the address only for the person who started', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const unknown = openBrowser(sso.service)
    for (const email of ['ana@elsewhere.test', '', 'nobody', `ana@${tenant.domain}`.repeat(20)]) {
      const answer = await unknown.call(startSso, { query: { email } })
      expect(answer.data).toBe(problemPath('unknown_address'))
    }
    expect(unknown.cookies.size).toBe(0)
    const { url } = await startSignIn(tenant)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/)
  })

  test('reports that the provider is unreachable', async () => {
    const away = await startOidcProvider()
    const tenant = await addSsoTenant(sso.service, away)
    await away.stop()
    const browser = openBrowser(sso.service)
    const answer = await browser.call(startSso, { query: { email: `ana@${tenant.domain}` } })
    expect(answer.data).toBe(problemPath('unreachable'))
  })

  test('does not mix the two protocols', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser, back } = await startSignIn(tenant)
    const form = { SAMLResponse: 'PHg+', RelayState: back['state'] ?? '' }
    const posted = await browser.call(acceptSamlResponse, { ...tenant, body: form })
    expect(posted.data).toBe(problemPath('invalid_response'))
    const completed = await browser.call(finishSaml, { ...tenant, query: { state: back['state'] } })
    expect(completed.data).toBe(problemPath('invalid_response'))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
  })
})
