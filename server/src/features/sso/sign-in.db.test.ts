import { listInvites, listMembers } from '@assay/contract/members.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { readSession, signIn, signUp } from '@assay/contract/sign-in.ts'
import {
  acceptSamlResponse,
  finishOidc,
  finishSaml,
  linkSso,
  removeSsoConfig,
  startSso,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../../../test/browser.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../test/oidc-provider.ts'
import { addMember, addUser } from '../../../test/people.ts'
import {
  addSsoTenant,
  approve,
  oidcBody,
  type SsoTenant,
  signInThrough,
} from '../../../test/sso-tenant.ts'
import { type Service, startService } from '../../../test/started-app.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import { newInvite } from '../../accounts/invite.ts'
import { openPasswords } from '../../platform/password-hash.ts'
import { admitPerson } from './admit-person.ts'

let service: Service
let provider: TestOidcProvider
let now: number | undefined

beforeAll(async () => {
  provider = await startOidcProvider()
  service = await startService({ clock: { now: () => new Date(now ?? Date.now()) } })
})
afterEach(() => {
  provider.answer()
  now = undefined
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

const password = 'a long enough password'
const problem = (code: string) => `/sign-in?problem=${code}`

const through = (
  tenant: Pick<SsoTenant, 'params'>,
  email: string,
  options: Parameters<typeof signInThrough>[4] = {},
) => signInThrough(service, provider, tenant, email, options)

async function readCurrentUser(browser: TestBrowser) {
  const { status, data } = await browser.call(readSession, {})
  return status === 200 ? data.user : undefined
}

async function addPerson(person: Parameters<typeof addUser>[1]) {
  return await addUser(service.accounts, {
    passwordHash: await openPasswords().hash(password),
    ...person,
  })
}

const rolesIn = async (tenant: SsoTenant) => {
  const { data } = await service.call(listMembers, tenant, tenant.owner)
  return Object.fromEntries(data.map(({ email, role }) => [email, role]))
}

describe('a person whom the provider authenticates', () => {
  test('is signed in, with an account and the default role on the first sign-in', async () => {
    const tenant = await addSsoTenant(service, provider, { default_role: 'Editor' })
    const email = `Ana@${tenant.domain}`
    const { location, browser } = await through(tenant, email, { returnTo: '/traces?status=ERROR' })
    expect(location).toBe('/traces?status=ERROR')
    const user = await readCurrentUser(browser)
    expect(user).toMatchObject({ email, name: 'Ana Example', is_super_admin: false })
    expect(await rolesIn(tenant)).toMatchObject({ [email]: 'Editor' })
    const again = await through(tenant, email)
    expect((await readCurrentUser(again.browser))?.id).toBe(user?.id)
  })

  test('is found by subject afterwards, whatever their address', async () => {
    const tenant = await addSsoTenant(service, provider)
    const first = await through(tenant, `ana@${tenant.domain}`, { claims: { sub: 'ana' } })
    const id = (await readCurrentUser(first.browser))?.id
    const renamed = await through(tenant, `ana-maria@${tenant.domain}`, { claims: { sub: 'ana' } })
    expect((await readCurrentUser(renamed.browser))?.id).toBe(id)
    const successor = await through(tenant, `ben@${tenant.domain}`, { claims: { sub: 'ben' } })
    expect((await readCurrentUser(successor.browser))?.id).not.toBe(id)
  })

  test('keeps a role that was assigned here', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    const ana = await addPerson({ email, verified: true })
    await addMember(service.accounts, tenant.organizationId, ana.id, 'Admin')
    const { browser } = await through(tenant, email)
    expect((await readCurrentUser(browser))?.id).toBe(ana.id)
    expect(await rolesIn(tenant)).toMatchObject({ [email]: 'Admin' })
  })

  test('gets the role of an invite, which replaces platform access', async () => {
    const tenant = await addSsoTenant(service, provider)
    for (const { id, pattern } of await service.accounts.platformAccess.list()) {
      if (pattern === `@${tenant.domain}`) await service.accounts.platformAccess.remove(id)
    }
    const email = `ana@${tenant.domain}`
    const { row } = newInvite(
      tenant.organizationId,
      email,
      'Admin',
      tenant.members.Owner.id,
      new Date().toISOString(),
    )
    await service.accounts.invites.insert(row)
    expect((await through(tenant, email)).location).toBe('/')
    expect(await rolesIn(tenant)).toMatchObject({ [email]: 'Admin' })
    const { data } = await service.call(listInvites, tenant, tenant.owner)
    expect(data).toEqual([])
  })

  test('has a session with its sign-in method', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { browser } = await through(tenant, `ana@${tenant.domain}`)
    const user = await readCurrentUser(browser)
    const [session] = await service.accounts.sessions.ofUser(user?.id ?? '')
    const config = await service.accounts.sso.findOfOrganization(tenant.organizationId)
    expect(session).toMatchObject({ method: 'sso', sso_config_id: config?.id })
  })

  test('becomes one account, also with concurrent first sign-ins', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    const arrivals = await Promise.all(Array.from({ length: 20 }, () => through(tenant, email)))
    const people = await Promise.all(arrivals.map(({ browser }) => readCurrentUser(browser)))
    expect(new Set(people.map((person) => person?.id)).size).toBe(1)
    expect(people[0]?.is_super_admin).toBe(false)
    expect(Object.keys(await rolesIn(tenant)).filter((one) => one === email)).toHaveLength(1)
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
    const tenant = await addSsoTenant(service, provider)
    const { location, browser } = await through(tenant, `ana@${tenant.domain}`, {
      claims: claims(tenant),
    })
    expect(location).toBe(problem(code))
    expect(await readCurrentUser(browser)).toBeUndefined()
    expect(Object.keys(await rolesIn(tenant))).toHaveLength(4)
  })

  test('is not signed in when the domain is no longer verified', async () => {
    const tenant = await addSsoTenant(service, provider)
    const other = `other-${tenant.domain}`
    const body = { ...oidcBody(provider, tenant.domain), domains: [tenant.domain, other] }
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    const known = { claims: { email: `ana@${other}`, sub: 'ana' } }
    expect((await through(tenant, `ana@${tenant.domain}`, known)).location).toBe(
      problem('outside_domains'),
    )
    await approve(service, tenant.organizationId, other)
    await service.accounts.platformAccess.insert({
      ...{ id: other, pattern: `@${other}`, added_by: null },
      created_at: new Date().toISOString(),
    })
    expect((await through(tenant, `ana@${tenant.domain}`, known)).location).toBe('/')
    await service.call(
      writeSsoConfig,
      { ...tenant, body: oidcBody(provider, tenant.domain) },
      tenant.owner,
    )
    expect((await through(tenant, `ana@${tenant.domain}`, known)).location).toBe(
      problem('outside_domains'),
    )
  })

  test('requires platform access for an account, and stores nothing without it', async () => {
    const tenant = await addSsoTenant(service, provider)
    for (const { id, pattern } of await service.accounts.platformAccess.list()) {
      if (pattern === `@${tenant.domain}`) await service.accounts.platformAccess.remove(id)
    }
    const email = `ana@${tenant.domain}`
    expect((await through(tenant, email)).location).toBe(problem('access_required'))
    expect(await service.accounts.users.findByEmailKey(email)).toBeUndefined()
    const known = await addPerson({ email: `ben@${tenant.domain}`, verified: true })
    expect((await through(tenant, known.email)).location).toBe('/')
  })

  test('is not signed in when disabled', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    await addPerson({ email, verified: true, disabled: true })
    const { location, browser } = await through(tenant, email)
    expect(location).toBe(problem('disabled'))
    expect(await readCurrentUser(browser)).toBeUndefined()
  })
})

describe('an existing account', () => {
  test('advisory 23: that somebody else created with the address is not linked, and its password gives no access', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `victim@${tenant.domain}`
    await addPerson({ email })
    const { location, browser } = await through(tenant, email)
    expect(location).toBe(problem('not_linked'))
    expect(await readCurrentUser(browser)).toBeUndefined()
    const attacker = openBrowser(service)
    expect(await attacker.call(signIn, { body: { email, password } })).toMatchObject({
      status: 200,
    })
    expect((await attacker.call(listOrganizations, {})).data).toEqual([])
    expect(await rolesIn(tenant)).not.toHaveProperty(email)
  })

  test('advisory 23: of a super admin is not linked by an organization’s provider', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `root@${tenant.domain}`
    await addPerson({ email, verified: true, superAdmin: true })
    const { location, browser } = await through(tenant, email)
    expect(location).toBe(problem('not_linked'))
    expect(await readCurrentUser(browser)).toBeUndefined()
  })

  test('keeps the page to open when the sign-in is refused', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { location, browser } = await through(tenant, `ana@${tenant.domain}`, {
      returnTo: '/traces?status=ERROR',
      claims: { email: 'ana@elsewhere.test' },
    })
    expect(location).toBe(`${problem('outside_domains')}&next=%2Ftraces%3Fstatus%3DERROR`)
    expect(await readCurrentUser(browser)).toBeUndefined()
  })

  test('is linked once with its password, in the browser of the sign-in', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    const ana = await addPerson({ email })
    const { browser } = await through(tenant, email, { returnTo: '/traces' })
    const elsewhere = openBrowser(service)
    const link = (from: TestBrowser, given: string) =>
      from.call(linkSso, { body: { password: given } })
    expect(await link(elsewhere, password)).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
    expect(await link(browser, 'a wrong password')).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: 'Wrong password.' },
    })
    expect(await readCurrentUser(browser)).toBeUndefined()
    expect(await link(browser, password)).toMatchObject({
      status: 200,
      data: { return_to: '/traces' },
    })
    expect((await readCurrentUser(browser))?.id).toBe(ana.id)
    expect(await link(browser, password)).toMatchObject({ status: 404 })
    const after = await service.accounts.users.find(ana.id)
    expect(after?.email_verified_at).not.toBeNull()
    expect((await readCurrentUser((await through(tenant, email)).browser))?.id).toBe(ana.id)
  })

  test('limits guesses at its password', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    await addPerson({ email })
    const { browser } = await through(tenant, email)
    const statuses = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const answer = await browser.call(linkSso, { body: { password: 'a guess' } })
      statuses.push(answer.status)
      if (answer.status === 429) expect(answer.error.code).toBe('RATE_LIMITED')
    }
    expect(statuses).toContain(429)
  })

  test('is not linked after ten minutes, nor when the configuration has changed', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    await addPerson({ email })
    const late = await through(tenant, email)
    now = Date.now() + 10 * 60_000
    expect(await late.browser.call(linkSso, { body: { password } })).toMatchObject({ status: 404 })
    now = undefined
    const changed = await through(tenant, email)
    const body = oidcBody(provider, tenant.domain)
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect(await changed.browser.call(linkSso, { body: { password } })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    })
  })

  test('is not linked with a password that has just changed', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    const { id, password_hash } = await addPerson({ email })
    const config = await service.accounts.sso.findOfOrganization(tenant.organizationId)
    if (config === undefined) throw new Error('no configuration')
    const providerSignIn = {
      asserted: { issuer: provider.issuer, subject: 'ana', email, name: null },
      config,
      present: { id, password_hash },
      actor: () => commandLineActor,
      at: new Date().toISOString(),
    }
    await service.accounts.users.update(id, { password_hash: 'another' })
    await expect(
      service.accounts.transaction((stores) => admitPerson(providerSignIn, stores)),
    ).rejects.toMatchObject({ problem: 'not_linked' })
  })

  test('is linked when its owner is signed in in the same browser', async () => {
    const tenant = await addSsoTenant(service, provider)
    const email = `ana@${tenant.domain}`
    const ana = await addPerson({ email })
    const browser = openBrowser(service)
    await browser.call(signIn, { body: { email, password } })
    expect((await through(tenant, email, { browser })).location).toBe('/')
    expect((await readCurrentUser(browser))?.id).toBe(ana.id)
  })

  test('of another person who is signed in in the same browser is not linked', async () => {
    const tenant = await addSsoTenant(service, provider)
    const other = await addPerson({})
    await addPerson({ email: `ana@${tenant.domain}` })
    const browser = openBrowser(service)
    await browser.call(signIn, { body: { email: other.email, password } })
    const { location } = await through(tenant, `ana@${tenant.domain}`, { browser })
    expect(location).toBe(problem('not_linked'))
    expect((await readCurrentUser(browser))?.id).toBe(other.id)
  })
})

describe('two organizations', () => {
  test('advisory 21: with the same issuer and subject have separate accounts', async () => {
    const victims = await addSsoTenant(service, provider)
    const victim = await through(victims, `ana@${victims.domain}`, { claims: { sub: 'ana' } })
    const attackers = await addSsoTenant(service, provider)
    for (const claims of [
      { sub: 'ana', email: `ana@${attackers.domain}` },
      { sub: 'ana', email: `ana@${victims.domain}` },
    ]) {
      const { browser } = await through(attackers, `ana@${attackers.domain}`, { claims })
      const person = await readCurrentUser(browser)
      expect(person?.id).not.toBe((await readCurrentUser(victim.browser))?.id)
      if (person === undefined) continue
      const { data } = await browser.call(listOrganizations, {})
      expect(data.map(({ id }) => id)).toEqual([attackers.organizationId])
    }
  })

  test('do not accept each other’s responses', async () => {
    const one = await addSsoTenant(service, provider)
    const other = await addSsoTenant(service, provider)
    const { location, browser } = await signInThrough(
      service,
      provider,
      { params: other.params },
      `ana@${one.domain}`,
    )
    expect(location).toBe(problem('invalid_response'))
    expect(await readCurrentUser(browser)).toBeUndefined()
  })
})

describe('the callback', () => {
  async function startSignIn(tenant: SsoTenant, browser = openBrowser(service)) {
    const email = `ana@${tenant.domain}`
    const { data } = await browser.call(startSso, { query: { email } })
    return { browser, back: Object.fromEntries(provider.authorize(data, { email })), url: data }
  }
  const finish = (
    browser: TestBrowser,
    tenant: SsoTenant,
    query: Record<string, string | undefined>,
  ) => browser.call(finishOidc, { ...tenant, query })

  test('advisory 2: of another browser creates no session, with any state', async () => {
    const tenant = await addSsoTenant(service, provider)
    const attacker = await startSignIn(tenant)
    const victim = await startSignIn(tenant)
    const bystander = openBrowser(service)
    for (const [browser, query] of [
      [bystander, attacker.back],
      [victim.browser, attacker.back],
      [victim.browser, { ...victim.back, state: undefined }],
      [victim.browser, { ...victim.back, state: 'A'.repeat(43) }],
      [victim.browser, {}],
    ] as const) {
      const answer = await finish(browser, tenant, query)
      expect(answer.data).toBe(problem('expired'))
      expect(await readCurrentUser(browser)).toBeUndefined()
    }
    expect((await finish(victim.browser, tenant, victim.back)).data).toBe('/')
  })

  test('is accepted once', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { browser, back } = await startSignIn(tenant)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => finish(browser, tenant, back)),
    )
    expect(responses.map(({ data }) => data).sort()).toEqual([
      '/',
      ...Array.from({ length: 4 }, () => problem('expired')),
    ])
  })

  test('works from several tabs of one browser', async () => {
    const tenant = await addSsoTenant(service, provider)
    const first = await startSignIn(tenant)
    const second = await startSignIn(tenant, first.browser)
    expect((await finish(first.browser, tenant, first.back)).data).toBe('/')
    expect((await finish(first.browser, tenant, second.back)).data).toBe('/')
  })

  test('expires after ten minutes', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { browser, back } = await startSignIn(tenant)
    now = Date.now() + 10 * 60_000
    expect((await finish(browser, tenant, back)).data).toBe(problem('expired'))
  })

  test('is refused when the configuration was changed or removed in the meantime', async () => {
    const tenant = await addSsoTenant(service, provider)
    const changed = await startSignIn(tenant)
    const body = oidcBody(provider, tenant.domain)
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect((await finish(changed.browser, tenant, changed.back)).data).toBe(problem('changed'))
    const removed = await startSignIn(tenant)
    await service.call(removeSsoConfig, { params: tenant.params }, tenant.owner)
    expect((await finish(removed.browser, tenant, removed.back)).data).toBe(problem('expired'))
  })

  test('reports a refusal by a problem code, without values of the provider', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { browser, back } = await startSignIn(tenant)
    const { code: _, ...answer } = back
    const error = '<script>alert(1)</script>'
    const refused = await finish(browser, tenant, {
      ...answer,
      error,
      error_description: error,
    })
    expect(refused.data).toBe(problem('refused'))
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
    const tenant = await addSsoTenant(service, provider)
    const { location } = await through(tenant, `ana@${tenant.domain}`, { returnTo })
    expect(location).toBe('/')
  })

  test('prefills the address only for the person who started', async () => {
    const tenant = await addSsoTenant(service, provider)
    const unknown = openBrowser(service)
    for (const email of ['ana@elsewhere.test', '', 'nobody', `ana@${tenant.domain}`.repeat(20)]) {
      const answer = await unknown.call(startSso, { query: { email } })
      expect(answer.data).toBe(problem('unknown_address'))
    }
    expect(unknown.cookies.size).toBe(0)
    const { url } = await startSignIn(tenant)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/)
  })

  test('reports that the provider is unreachable', async () => {
    const away = await startOidcProvider()
    const tenant = await addSsoTenant(service, away)
    await away.stop()
    const browser = openBrowser(service)
    const answer = await browser.call(startSso, { query: { email: `ana@${tenant.domain}` } })
    expect(answer.data).toBe(problem('unreachable'))
  })

  test('does not mix the two protocols', async () => {
    const tenant = await addSsoTenant(service, provider)
    const { browser, back } = await startSignIn(tenant)
    const form = { SAMLResponse: 'PHg+', RelayState: back['state'] ?? '' }
    const posted = await browser.call(acceptSamlResponse, { ...tenant, body: form })
    expect(posted.data).toBe(problem('invalid_response'))
    const completed = await browser.call(finishSaml, { ...tenant, query: { state: back['state'] } })
    expect(completed.data).toBe(problem('invalid_response'))
    expect(await readCurrentUser(browser)).toBeUndefined()
  })
})

describe('the sessions of a configuration', () => {
  test.each<
    readonly [what: string, change: (tenant: SsoTenant) => Promise<unknown>, isOver: boolean]
  >([
    [
      'end when it is removed',
      ({ params, owner }) => service.call(removeSsoConfig, { params }, owner),
      true,
    ],
    [
      'end when its trusted provider changes',
      ({ params, owner, domain }) =>
        service.call(
          writeSsoConfig,
          { params, body: { ...oidcBody(provider, domain), client_id: 'another' } },
          owner,
        ),
      true,
    ],
    [
      'end when it loses a domain',
      ({ params, owner, domain }) => {
        const { client_secret: _, ...body } = oidcBody(provider, `other-${domain}`)
        return service.call(writeSsoConfig, { params, body }, owner)
      },
      true,
    ],
    [
      'stay when only the default role changes',
      ({ params, owner, domain }) => {
        const { client_secret: _, ...body } = oidcBody(provider, domain)
        return service.call(
          writeSsoConfig,
          { params, body: { ...body, default_role: 'Editor' } },
          owner,
        )
      },
      false,
    ],
  ])('%s', async (_what, change, isOver) => {
    const tenant = await addSsoTenant(service, provider)
    const { browser } = await through(tenant, `ana@${tenant.domain}`)
    await change(tenant)
    expect((await readCurrentUser(browser)) === undefined).toBe(isOver)
    expect((await service.call(readSession, {}, tenant.owner)).status).toBe(200)
  })
})

describe('advisory 4: where single sign-on is enforced', () => {
  /** A domain with enforced single sign-on, set up by an Admin in it. */
  async function enforced() {
    const tenant = await addSsoTenant(service, provider)
    const email = `boss@${tenant.domain}`
    const boss = await addPerson({ email, verified: true })
    await addMember(service.accounts, tenant.organizationId, boss.id, 'Admin')
    const { browser } = await through(tenant, email)
    const { client_secret: _, ...body } = oidcBody(provider, tenant.domain)
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
    await addPerson({ email, verified: true })
    const browser = openBrowser(service)
    expect(await browser.call(signIn, { body: { email, password } })).toMatchObject({ status: 403 })
    const form = { email: `new@${tenant.domain}`, password, name: 'New' }
    const signedUp = await browser.call(signUp, { body: form })
    expect(signedUp.status).toBeGreaterThanOrEqual(400)
    expect(await readCurrentUser(browser)).toBeUndefined()
    expect(await service.accounts.users.findByEmailKey(form.email)).toBeUndefined()
    expect((await through(tenant, email)).location).toBe('/')
    expect((await through(tenant, form.email)).location).toBe('/')
  })

  test('an unconfirmed account is not locked out: its password links it', async () => {
    const tenant = await enforced()
    const email = `ana@${tenant.domain}`
    const ana = await addPerson({ email })
    const { location, browser } = await through(tenant, email)
    expect(location).toBe(problem('not_linked'))
    await browser.call(linkSso, { body: { password } })
    expect((await readCurrentUser(browser))?.id).toBe(ana.id)
  })

  test('super admins sign in with their password', async () => {
    const tenant = await enforced()
    const root = await addPerson({ email: `root@${tenant.domain}`, superAdmin: true })
    const browser = openBrowser(service)
    await browser.call(signIn, { body: { email: root.email, password } })
    expect((await readCurrentUser(browser))?.id).toBe(root.id)
  })

  test('another organization’s provider cannot be used', async () => {
    const tenant = await enforced()
    const other = await addSsoTenant(service, provider)
    const ana = await addPerson({ email: `ana@${tenant.domain}`, verified: true })
    const config = await service.accounts.sso.findOfOrganization(other.organizationId)
    await service.accounts.ssoIdentities.insert({
      sso_config_id: config?.id ?? '',
      issuer: provider.issuer,
      subject: 'ana',
      user_id: ana.id,
      created_at: new Date().toISOString(),
    })
    const { location } = await through(other, `ana@${other.domain}`, { claims: { sub: 'ana' } })
    expect(location).toBe(problem('sso_required'))
  })
})
