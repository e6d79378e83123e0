import { readSession } from '@assay/contract/sign-in.ts'
import { discoverSso, testSsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { addMember, addUser, type Tenant } from '../server/test/people.ts'
import { approve } from '../server/test/sso-tenant.ts'
import { type Service, startService } from '../server/test/started-app.ts'
import {
  oidcClient,
  postingPage,
  type RunningProvider,
  runOidcProvider,
  runSamlProvider,
  runSite,
  type SamlForm,
  type SamlProvider,
} from './identity-providers.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * Single sign-on in a real browser, on host names that are cross-site to each other, so that cookies are
 * sent or withheld as in production.
 */

const chromium = inject('chromium')

describe.skipIf(chromium === null)('single sign-on in a browser', () => {
  let service: Service
  let base: string
  let oidc: RunningProvider
  let saml: SamlProvider
  let evil: RunningProvider
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let oidcTenant: Tenant
  let samlTenant: Tenant
  let evilForm: SamlForm | undefined

  beforeAll(async () => {
    base = `http://app.test:${await freePort()}`
    service = await startService({ baseUrl: base, knownHosts: ['oidc.test'] })
    oidcTenant = await service.addTenant()
    samlTenant = await service.addTenant()
    const address = (step: string, { organizationId }: Tenant) =>
      `${base}/api/v1/auth/sso/${step}/${organizationId}`
    oidc = await runOidcProvider('oidc.test', await freePort(), address('callback', oidcTenant))
    saml = await runSamlProvider('saml.test', await freePort(), address('metadata', samlTenant))
    evil = await runSite('evil.test', await freePort(), () =>
      evilForm === undefined ? '' : postingPage(evilForm),
    )
    await configure(oidcTenant, 'corp.test', {
      protocol: 'oidc',
      issuer: oidc.origin,
      ...oidcClient,
    })
    await configure(samlTenant, 'saml-corp.test', {
      protocol: 'saml',
      idp_entity_id: saml.entityId,
      idp_sso_url: `${saml.origin}/sso`,
      idp_certificate: saml.certificate,
    })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await closePages()
    for (const site of [oidc, saml, evil]) await site.stop()
    await service.stop()
  })
  afterEach(async () => {
    await context.close()
  })

  async function configure(
    { organizationId, members }: Tenant,
    domain: string,
    body: Readonly<Record<string, string>>,
  ): Promise<void> {
    const params = { orgId: organizationId }
    const owner = await service.signedIn(members.Owner)
    const written = { ...body, domains: [domain] }
    const answer = await service.call(writeSsoConfig, { params, body: written }, owner)
    expect(answer.status).toBe(200)
    await approve(service, organizationId, domain)
    const pattern = `@${domain}`
    const row = { id: domain, pattern, added_by: null, created_at: new Date().toISOString() }
    await service.accounts.platformAccess.insert(row)
  }

  async function newPage(): Promise<Page> {
    context = await browser.newContext()
    page = await context.newPage()
    page.setDefaultTimeout(30_000)
    return page
  }

  /** Does what the sign-in page does with a typed address. */
  async function goToProvider(email: string, returnTo = '/profile'): Promise<void> {
    const { data } = await service.call(discoverSso, { body: { email } })
    await page.goto(`${data.start_url ?? ''}&return_to=${encodeURIComponent(returnTo)}`)
  }

  async function signInAtOidc(email: string): Promise<void> {
    await signInAgainAtOidc(email)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  /** The provider asks for consent only the first time. */
  async function signInAgainAtOidc(email: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(email)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
  }

  async function signInAtSaml(email: string): Promise<void> {
    await page.getByLabel('Address').fill(email)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function landed(path: string): Promise<void> {
    await page.waitForURL(`${base}${path}`).catch((cause: unknown) => {
      throw new Error(`the page is still at ${page.url()}`, { cause })
    })
  }

  /** The address that the browser is signed in with. */
  async function readCurrentEmail(): Promise<string | undefined> {
    const answer = await page.evaluate(async (path) => {
      const response = await fetch(path)
      return (await response.json()) as { data?: { user: { email: string } } }
    }, `/api/v1${readSession.path}`)
    return answer.data?.user.email
  }

  test('OpenID Connect: the provider’s pages appear the first time and are skipped the next time', async () => {
    await newPage()
    await goToProvider('ana@corp.test')
    expect(new URL(page.url()).host).toBe(new URL(oidc.origin).host)
    await signInAtOidc('ana@corp.test')
    await landed('/profile')
    expect(await readCurrentEmail()).toBe('ana@corp.test')
    const cookies = await context.cookies(base)
    expect(cookies.find(({ name }) => name === 'assay_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      domain: 'app.test',
    })

    await context.clearCookies({ domain: 'app.test' })
    await page.goto(`${base}/sign-up`)
    expect(await readCurrentEmail()).toBeUndefined()
    await goToProvider('ana@corp.test', '/profile?again')
    await landed('/profile?again')
    expect(await readCurrentEmail()).toBe('ana@corp.test')
  })

  test('OpenID Connect: a canceled sign-in returns to the sign-in page without a session', async () => {
    await newPage()
    await goToProvider('ben@corp.test')
    await page.getByText('[ Cancel ]').click()
    await landed('/sign-in?problem=refused&next=%2Fprofile')
    expect(await readCurrentEmail()).toBeUndefined()
  })

  test('OpenID Connect: the account at the provider decides who is signed in', async () => {
    await newPage()
    await goToProvider('ana@corp.test')
    await signInAtOidc('carl@corp.test')
    await landed('/profile')
    expect(await readCurrentEmail()).toBe('carl@corp.test')
  })

  test('OpenID Connect: an address outside the domains is refused', async () => {
    await newPage()
    await goToProvider('ana@corp.test')
    await signInAtOidc('ana@elsewhere.test')
    await landed('/sign-in?problem=outside_domains&next=%2Fprofile')
    expect(await readCurrentEmail()).toBeUndefined()
  })

  test('a callback works once: neither the back button nor another browser can repeat it', async () => {
    await newPage()
    let callback = ''
    page.on('request', (request) => {
      if (request.url().includes('/auth/sso/callback/')) callback = request.url()
    })
    await goToProvider('dora@corp.test')
    await signInAtOidc('dora@corp.test')
    await landed('/profile')
    expect(callback).not.toBe('')
    await page.goto(callback)
    await landed('/sign-in?problem=expired')
    expect(await readCurrentEmail()).toBe('dora@corp.test')
    await context.close()
    await newPage()
    await page.goto(callback)
    await landed('/sign-in?problem=expired')
    expect(await readCurrentEmail()).toBeUndefined()
  })

  test('two tabs of one browser sign in independently', async () => {
    const first = await newPage()
    await goToProvider('emil@corp.test', '/profile?first')
    const second = await context.newPage()
    page = second
    await goToProvider('emil@corp.test', '/profile?second')
    await signInAtOidc('emil@corp.test')
    await landed('/profile?second')
    page = first
    await signInAgainAtOidc('emil@corp.test')
    await landed('/profile?first')
    expect(await readCurrentEmail()).toBe('emil@corp.test')
  })

  test('SAML: a response posted cross-site without cookies signs in', async () => {
    await newPage()
    const sent: string[] = []
    page.on('request', (request) => {
      if (!request.url().includes('/auth/sso/acs/')) return
      sent.push(request.method(), request.headers()['cookie'] ?? 'no cookie')
    })
    await goToProvider('ana@saml-corp.test')
    expect(new URL(page.url()).host).toBe(new URL(saml.origin).host)
    await signInAtSaml('ana@saml-corp.test')
    await landed('/profile')
    expect(await readCurrentEmail()).toBe('ana@saml-corp.test')
    expect(sent).toEqual(['POST', 'no cookie'])
  })

  test('SAML: another site cannot sign a visitor in to a foreign account', async () => {
    await newPage()
    await page.route('**/auth/sso/acs/**', (route) => route.abort())
    await goToProvider('attacker@saml-corp.test')
    // Once it has failed: a context that is closed earlier lets the request through, and the service accepts the response.
    const withheld = page.waitForEvent('requestfailed', (one) => one.url().includes('/sso/acs/'))
    await signInAtSaml('attacker@saml-corp.test')
    await withheld
    evilForm = saml.posted.at(-1)
    await context.close()

    await newPage()
    await page.goto(evil.origin)
    await landed('/sign-in?problem=expired')
    expect(await readCurrentEmail()).toBeUndefined()
  })

  test('a manager tests the configuration, requires it, and can only sign in with it', async () => {
    const params = { orgId: oidcTenant.organizationId }
    const email = 'boss@corp.test'
    const boss = await addUser(service.accounts, { email })
    await addMember(service.accounts, params.orgId, boss.id, 'Admin')
    const { cookie = '' } = await service.signedIn(boss)
    await newPage()
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: base }])
    await page.goto(`${base}/profile`)
    const start = await page.evaluate(
      async ([path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(path ?? '', { method: 'POST', headers, body: body ?? '' })
        return (await response.json()) as { data: { start_url: string } }
      },
      [
        `/api/v1${testSsoConfig.path.replace('{orgId}', params.orgId)}`,
        JSON.stringify({ return_to: '/profile' }),
      ],
    )
    await page.goto(start.data.start_url)
    await signInAtOidc(email)
    await landed('/profile?sso_test=ok')
    const owner = { cookie }
    const body = { protocol: 'oidc', issuer: oidc.origin, client_id: oidcClient.client_id }
    const enforced = { ...body, domains: ['corp.test'], enforced: true }
    expect(await service.call(writeSsoConfig, { params, body: enforced }, owner)).toMatchObject({
      status: 200,
      data: { enforced: true, has_client_secret: true },
    })
    await context.clearCookies({ domain: 'app.test' })
    await goToProvider(email)
    await landed('/profile')
    expect(await readCurrentEmail()).toBe(email)
  })
})
