import { listInvites } from '@assay/contract/members.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { readSession, signIn, signUp } from '@assay/contract/sign-in.ts'
import { linkSso, removeSsoConfig, writeSsoConfig } from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../../../test/browser.ts'
import { addMember } from '../../../test/people.ts'
import { password, problemPath, ssoSuite } from '../../../test/sso-suite.ts'
import {
  addSsoTenant,
  approve,
  oidcBody,
  type SsoTenant,
  signInThrough,
} from '../../../test/sso-tenant.ts'
import { newInvite } from '../../accounts/invite.ts'

const sso = ssoSuite()

describe('a person whom the provider authenticates', () => {
  test('is signed in, with an account and the default role on the first sign-in', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider, { default_role: 'Editor' })
    const email = `Ana@${tenant.domain}`
    const { location, browser } = await sso.through(tenant, email, {
      returnTo: '/traces?status=ERROR',
    })
    expect(location).toBe('/traces?status=ERROR')
    const user = await sso.readCurrentUser(browser)
    expect(user).toMatchObject({ email, name: 'Ana Example', is_super_admin: false })
    expect(await sso.rolesIn(tenant)).toMatchObject({ [email]: 'Editor' })
    const again = await sso.through(tenant, email)
    expect((await sso.readCurrentUser(again.browser))?.id).toBe(user?.id)
  })

  test('is found by subject afterwards, whatever their address', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const first = await sso.through(tenant, `ana@${tenant.domain}`, { claims: { sub: 'ana' } })
    const id = (await sso.readCurrentUser(first.browser))?.id
    const renamed = await sso.through(tenant, `ana-maria@${tenant.domain}`, {
      claims: { sub: 'ana' },
    })
    expect((await sso.readCurrentUser(renamed.browser))?.id).toBe(id)
    const successor = await sso.through(tenant, `ben@${tenant.domain}`, { claims: { sub: 'ben' } })
    expect((await sso.readCurrentUser(successor.browser))?.id).not.toBe(id)
  })

  test('keeps a role that was assigned here', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    const ana = await sso.addPerson({ email, verified: true })
    await addMember(sso.service.accounts, tenant.organizationId, ana.id, 'Admin')
    const { browser } = await sso.through(tenant, email)
    expect((await sso.readCurrentUser(browser))?.id).toBe(ana.id)
    expect(await sso.rolesIn(tenant)).toMatchObject({ [email]: 'Admin' })
  })

  test('gets the role of an invite, which replaces platform access', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    for (const { id, pattern } of await sso.service.accounts.platformAccess.list()) {
      if (pattern === `@${tenant.domain}`) await sso.service.accounts.platformAccess.remove(id)
    }
    const email = `ana@${tenant.domain}`
    const { row } = newInvite(
      tenant.organizationId,
      email,
      'Admin',
      tenant.members.Owner.id,
      new Date().toISOString(),
    )
    await sso.service.accounts.invites.insert(row)
    expect((await sso.through(tenant, email)).location).toBe('/')
    expect(await sso.rolesIn(tenant)).toMatchObject({ [email]: 'Admin' })
    const { data } = await sso.service.call(listInvites, tenant, tenant.owner)
    expect(data).toEqual([])
  })

  test('has a session with its sign-in method', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser } = await sso.through(tenant, `ana@${tenant.domain}`)
    const user = await sso.readCurrentUser(browser)
    const [session] = await sso.service.accounts.sessions.list(user?.id ?? '')
    const config = await sso.service.accounts.sso.findByOrganization(tenant.organizationId)
    expect(session).toMatchObject({ method: 'sso', sso_config_id: config?.id })
  })

  test('becomes one account, also with concurrent first sign-ins', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    const arrivals = await Promise.all(Array.from({ length: 8 }, () => sso.through(tenant, email)))
    const people = await Promise.all(arrivals.map(({ browser }) => sso.readCurrentUser(browser)))
    expect(new Set(people.map((person) => person?.id)).size).toBe(1)
    expect(people[0]?.is_super_admin).toBe(false)
    expect(Object.keys(await sso.rolesIn(tenant)).filter((one) => one === email)).toHaveLength(1)
  })

  test.each<
    readonly [what: string, claims: (tenant: SsoTenant) => Record<string, unknown>, code: string]
  >([
    ['outside the domains', () => ({ email: 'ana@elsewhere.test' }), 'outside_domains'],
    [
      'of a domain that only ends like it',
      ({ domain }) => ({ email: `ana@not-${domain}` }),
      'outside_domains',
    ],
    ['of a domain below it', ({ domain }) => ({ email: `ana@sub.${domain}` }), 'outside_domains'],
    [
      'with two signs in the address',
      ({ domain }) => ({ email: `ana@elsewhere.test@${domain}` }),
      'no_address',
    ],
    ['without an address', () => ({ email: undefined, sub: 'subject-1' }), 'no_address'],
  ])('is not signed in when %s', async (_what, claims, code) => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { location, browser } = await sso.through(tenant, `ana@${tenant.domain}`, {
      claims: claims(tenant),
    })
    expect(location).toBe(problemPath(code))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
    expect(Object.keys(await sso.rolesIn(tenant))).toHaveLength(4)
  })

  test('is not signed in when the domain is no longer verified', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const other = `other-${tenant.domain}`
    const body = { ...oidcBody(sso.provider, tenant.domain), domains: [tenant.domain, other] }
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    const known = { claims: { email: `ana@${other}`, sub: 'ana' } }
    expect((await sso.through(tenant, `ana@${tenant.domain}`, known)).location).toBe(
      problemPath('outside_domains'),
    )
    await approve(sso.service, tenant.organizationId, other)
    await sso.service.accounts.platformAccess.insert({
      ...{ id: other, pattern: `@${other}`, added_by: null },
      created_at: new Date().toISOString(),
    })
    expect((await sso.through(tenant, `ana@${tenant.domain}`, known)).location).toBe('/')
    await sso.service.call(
      writeSsoConfig,
      { ...tenant, body: oidcBody(sso.provider, tenant.domain) },
      tenant.owner,
    )
    expect((await sso.through(tenant, `ana@${tenant.domain}`, known)).location).toBe(
      problemPath('outside_domains'),
    )
  })

  test('requires platform access for an account, and stores nothing without it', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    for (const { id, pattern } of await sso.service.accounts.platformAccess.list()) {
      if (pattern === `@${tenant.domain}`) await sso.service.accounts.platformAccess.remove(id)
    }
    const email = `ana@${tenant.domain}`
    expect((await sso.through(tenant, email)).location).toBe(problemPath('access_required'))
    expect(await sso.service.accounts.users.findByEmailKey(email)).toBeUndefined()
    const known = await sso.addPerson({ email: `ben@${tenant.domain}`, verified: true })
    expect((await sso.through(tenant, known.email)).location).toBe('/')
  })

  test('is not signed in when disabled', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    await sso.addPerson({ email, verified: true, disabled: true })
    const { location, browser } = await sso.through(tenant, email)
    expect(location).toBe(problemPath('disabled'))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
  })
})

describe('two organizations', () => {
  test('with the same issuer and subject have separate accounts (CVE-2026-110863)', async () => {
    const victims = await addSsoTenant(sso.service, sso.provider)
    const victim = await sso.through(victims, `ana@${victims.domain}`, { claims: { sub: 'ana' } })
    const attackers = await addSsoTenant(sso.service, sso.provider)
    for (const claims of [
      { sub: 'ana', email: `ana@${attackers.domain}` },
      { sub: 'ana', email: `ana@${victims.domain}` },
    ]) {
      const { browser } = await sso.through(attackers, `ana@${attackers.domain}`, { claims })
      const person = await sso.readCurrentUser(browser)
      expect(person?.id).not.toBe((await sso.readCurrentUser(victim.browser))?.id)
      if (person === undefined) continue
      const { data } = await browser.call(listOrganizations, {})
      expect(data.map(({ id }) => id)).toEqual([attackers.organizationId])
    }
  })

  test('do not accept each other’s responses', async () => {
    const one = await addSsoTenant(sso.service, sso.provider)
    const other = await addSsoTenant(sso.service, sso.provider)
    const { location, browser } = await signInThrough(
      sso.service,
      sso.provider,
      { params: other.params },
      `ana@${one.domain}`,
    )
    expect(location).toBe(problemPath('invalid_response'))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
  })
})

describe('the sessions of a configuration', () => {
  test.each<
    readonly [what: string, change: (tenant: SsoTenant) => Promise<unknown>, isOver: boolean]
  >([
    [
      'end when it is removed',
      ({ params, owner }) => sso.service.call(removeSsoConfig, { params }, owner),
      true,
    ],
    [
      'end when its trusted provider changes',
      ({ params, owner, domain }) =>
        sso.service.call(
          writeSsoConfig,
          { params, body: { ...oidcBody(sso.provider, domain), client_id: 'another' } },
          owner,
        ),
      true,
    ],
    [
      'end when it loses a domain',
      ({ params, owner, domain }) => {
        const { client_secret: _, ...body } = oidcBody(sso.provider, `other-${domain}`)
        return sso.service.call(writeSsoConfig, { params, body }, owner)
      },
      true,
    ],
    [
      'stay when only the default role changes',
      ({ params, owner, domain }) => {
        const { client_secret: _, ...body } = oidcBody(sso.provider, domain)
        return sso.service.call(
          writeSsoConfig,
          { params, body: { ...body, default_role: 'Editor' } },
          owner,
        )
      },
      false,
    ],
  ])('%s', async (_what, change, isOver) => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { browser } = await sso.through(tenant, `ana@${tenant.domain}`)
    await change(tenant)
    expect((await sso.readCurrentUser(browser)) === undefined).toBe(isOver)
    expect((await sso.service.call(readSession, {}, tenant.owner)).status).toBe(200)
  })
})

describe('where single sign-on is enforced', () => {
  /** A domain with enforced single sign-on, set up by an Admin in it. */
  async function enforced() {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `boss@${tenant.domain}`
    const boss = await sso.addPerson({ email, verified: true })
    await addMember(sso.service.accounts, tenant.organizationId, boss.id, 'Admin')
    const { browser } = await sso.through(tenant, email)
    const { client_secret: _, ...body } = oidcBody(sso.provider, tenant.domain)
    const answer = await browser.call(writeSsoConfig, {
      ...tenant,
      body: { ...body, enforced: true },
    })
    expect(answer).toMatchObject({ status: 200, data: { enforced: true } })
    return { ...tenant, boss, browser }
  }

  test('passwords start no session, sign-up creates no account, and the provider does both', async () => {
    const tenant = await enforced()
    const email = `ana@${tenant.domain}`
    await sso.addPerson({ email, verified: true })
    const browser = openBrowser(sso.service)
    expect(await browser.call(signIn, { body: { email, password } })).toMatchObject({ status: 403 })
    const form = { email: `new@${tenant.domain}`, password, name: 'New' }
    const signedUp = await browser.call(signUp, { body: form })
    expect(signedUp.status).toBeGreaterThanOrEqual(400)
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
    expect(await sso.service.accounts.users.findByEmailKey(form.email)).toBeUndefined()
    expect((await sso.through(tenant, email)).location).toBe('/')
    expect((await sso.through(tenant, form.email)).location).toBe('/')
  })

  test('an unconfirmed account is not locked out: its password links it', async () => {
    const tenant = await enforced()
    const email = `ana@${tenant.domain}`
    const ana = await sso.addPerson({ email })
    const { location, browser } = await sso.through(tenant, email)
    expect(location).toBe(problemPath('not_linked'))
    await browser.call(linkSso, { body: { password } })
    expect((await sso.readCurrentUser(browser))?.id).toBe(ana.id)
  })

  test('super admins sign in with their password', async () => {
    const tenant = await enforced()
    const root = await sso.addPerson({ email: `root@${tenant.domain}`, superAdmin: true })
    const browser = openBrowser(sso.service)
    await browser.call(signIn, { body: { email: root.email, password } })
    expect((await sso.readCurrentUser(browser))?.id).toBe(root.id)
  })

  test('another organization’s provider cannot be used', async () => {
    const tenant = await enforced()
    const other = await addSsoTenant(sso.service, sso.provider)
    const ana = await sso.addPerson({ email: `ana@${tenant.domain}`, verified: true })
    const config = await sso.service.accounts.sso.findByOrganization(other.organizationId)
    await sso.service.accounts.ssoIdentities.insert({
      sso_config_id: config?.id ?? '',
      issuer: sso.provider.issuer,
      subject: 'ana',
      user_id: ana.id,
      created_at: new Date().toISOString(),
    })
    const { location } = await sso.through(other, `ana@${other.domain}`, { claims: { sub: 'ana' } })
    expect(location).toBe(problemPath('sso_required'))
  })
})
