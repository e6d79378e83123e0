import { readSession } from '@assay/contract/sign-in.ts'
import { finishOidc, readSsoConfig, testSsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../../../test/browser.ts'
import { addMember, addUser } from '../../../test/people.ts'
import { ssoSuite } from '../../../test/sso-suite.ts'
import {
  addSsoTenant,
  newDomain,
  oidcBody,
  type SsoTenant,
  signInThrough,
} from '../../../test/sso-tenant.ts'

const sso = ssoSuite()

async function tenantWithout() {
  const tenant = await sso.service.addTenant()
  const owner = await sso.service.signedIn(tenant.members.Owner)
  return { ...tenant, owner, params: { orgId: tenant.organizationId }, domain: newDomain() }
}

describe('enforcing', () => {
  const enforced = { status: 200, data: { enforced: true } }

  async function enforce({ params, owner, domain }: SsoTenant) {
    const { client_secret: _, ...body } = oidcBody(sso.provider, domain)
    return await sso.service.call(
      writeSsoConfig,
      { params, body: { ...body, enforced: true } },
      owner,
    )
  }

  /** A manager whose address is in the domain, and the manager's browser. */
  async function managerOf(tenant: SsoTenant) {
    const email = `boss@${tenant.domain}`
    const manager = await addUser(sso.service.accounts, { email })
    await addMember(sso.service.accounts, tenant.organizationId, manager.id, 'Admin')
    const credentials = await sso.service.signedIn(manager)
    const browser = openBrowser(sso.service)
    browser.cookies.set('assay_session', (credentials['cookie'] ?? '').split('=')[1] ?? '')
    return { ...tenant, owner: credentials, manager, email, browser }
  }

  async function tested(
    tenant: Awaited<ReturnType<typeof managerOf>>,
    claims: Readonly<Record<string, unknown>> = {},
  ) {
    const { params, browser, email } = tenant
    const body = { return_to: '/settings?tab=sso' }
    const { data } = await browser.call(testSsoConfig, { params, body })
    const back = sso.provider.authorize(data.start_url, { email, ...claims })
    return await browser.call(finishOidc, { params, query: Object.fromEntries(back) })
  }

  test('requires a verified domain and a successful test by the person who enforces it', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    expect(await enforce(tenant)).toMatchObject({
      status: 409,
      error: { message: expect.stringContaining('Test this configuration successfully') },
    })
    const through = await tested(tenant)
    expect(through.data).toBe('/settings?tab=sso&sso_test=ok')
    expect(through.headers.getSetCookie().join()).not.toContain('assay_session')
    const { data } = await sso.service.call(readSsoConfig, tenant, tenant.owner)
    expect(data?.tested_at).not.toBeNull()

    const otherOrganization = { ...tenant, owner: await sso.service.signedIn(tenant.members.Owner) }
    expect(await enforce(otherOrganization)).toMatchObject({ status: 409 })
    expect(await enforce(tenant)).toMatchObject(enforced)
    expect(await enforce(otherOrganization)).toMatchObject(enforced)
  })

  test('is not possible before a domain is verified', async () => {
    const tenant = await tenantWithout()
    const body = { ...oidcBody(sso.provider, tenant.domain), enforced: true }
    expect(await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)).toMatchObject(
      {
        status: 409,
        error: { code: 'CONFLICT', message: expect.stringContaining('Verify a domain') },
      },
    )
    expect((await sso.service.call(readSsoConfig, tenant, tenant.owner)).data).toBeNull()
  })

  test('requires another test after a change of the trusted provider', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    await tested(tenant)
    expect(await enforce(tenant)).toMatchObject(enforced)
    const body = { ...oidcBody(sso.provider, tenant.domain), enforced: true }
    expect(await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)).toMatchObject(
      {
        status: 409,
      },
    )
    const off = { ...body, enforced: false }
    expect(
      await sso.service.call(writeSsoConfig, { ...tenant, body: off }, tenant.owner),
    ).toMatchObject({
      data: { enforced: false, tested_at: null },
    })
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test.each<readonly [what: string, claims: Readonly<Record<string, unknown>>, outcome: string]>([
    ['another person of the domain', { email: 'another@' }, 'another_person'],
    ['an address outside', { email: 'boss@other.test' }, 'outside_domains'],
  ])('is not tested by %s', async (_what, claims, outcome) => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    const email = String(claims['email']).replace(/@$/, `@${tenant.domain}`)
    const answer = await tested(tenant, { email })
    expect(answer.data).toBe(`/settings?tab=sso&sso_test=${outcome}`)
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test('is not tested in a browser where another person has signed in', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    const { params, browser, email } = tenant
    const { data } = await browser.call(testSsoConfig, { params, body: {} })
    const { cookie = '' } = await sso.service.signedIn(tenant.members.Owner)
    browser.cookies.set('assay_session', cookie.split('=')[1] ?? '')
    const query = Object.fromEntries(sso.provider.authorize(data.start_url, { email }))
    expect((await browser.call(finishOidc, { params, query })).data).toBe('/?sso_test=expired')
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test('a test fails as a sign-in would, and its page reports it', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    sso.provider.answer({ signature: 'another key' })
    expect((await tested(tenant)).data).toBe('/settings?tab=sso&sso_test=invalid_response')
    sso.provider.answer()
  })

  test('links the tester and verifies their address', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    await tested(tenant)
    const after = await sso.service.accounts.users.find(tenant.manager.id)
    expect(after?.email_verified_at).not.toBeNull()
    const { location } = await signInThrough(sso.service, sso.provider, tenant, tenant.email, {
      claims: { sub: 'subject-1' },
    })
    expect(location).toBe('/')
  })

  test('ends the password sessions of the domain, except the one that enforces it', async () => {
    const tenant = await managerOf(await addSsoTenant(sso.service, sso.provider))
    const colleague = await sso.service.signedIn(
      await addUser(sso.service.accounts, { email: `ben@${tenant.domain}` }),
    )
    const outsider = await sso.service.signedIn(
      await addUser(sso.service.accounts, { email: `ben@not-${tenant.domain}` }),
    )
    const superAdmin = await sso.service.signedIn(
      await addUser(sso.service.accounts, { email: `root@${tenant.domain}`, superAdmin: true }),
    )
    await tested(tenant)
    await enforce(tenant)
    const statuses = []
    for (const person of [tenant.owner, colleague, outsider, superAdmin]) {
      statuses.push((await sso.service.call(readSession, {}, person)).status)
    }
    expect(statuses).toEqual([200, 401, 200, 200])
  })
})
