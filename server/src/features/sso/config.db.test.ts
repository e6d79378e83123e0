import { listOrganizations, updateOrganization } from '@assay/contract/organizations.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import {
  discoverSso,
  finishOidc,
  readSsoConfig,
  readSsoService,
  removeSsoConfig,
  testSsoConfig,
  verifySsoDomain,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../../../test/browser.ts'
import {
  oidcClient,
  startOidcProvider,
  type TestOidcProvider,
} from '../../../test/oidc-provider.ts'
import { addMember, addUser } from '../../../test/people.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'
import {
  addSsoTenant,
  approve,
  newDomain,
  oidcBody,
  type SsoTenant,
  signInThrough,
} from '../../../test/sso-tenant.ts'
import { type Service, startService } from '../../../test/started-app.ts'

let service: Service
let provider: TestOidcProvider
const txtRecords = new Map<string, readonly string[]>()
const { certificate } = selfSigned('idp.corp.test')

beforeAll(async () => {
  provider = await startOidcProvider()
  service = await startService({ txtRecords })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

const samlBody = (domain: string) => ({
  protocol: 'saml',
  idp_entity_id: 'https://idp.corp.test/saml',
  idp_sso_url: 'https://idp.corp.test/sso',
  idp_certificate: certificate,
  domains: [domain],
})

async function tenantWithout() {
  const tenant = await service.addTenant()
  const owner = await service.signedIn(tenant.members.Owner)
  return { ...tenant, owner, params: { orgId: tenant.organizationId }, domain: newDomain() }
}

describe('the configuration of an organization', () => {
  test('is null at first, and the values for the provider are already available', async () => {
    const { owner, params } = await tenantWithout()
    expect((await service.call(readSsoConfig, { params }, owner)).data).toBeNull()
    const { data } = await service.call(readSsoService, { params }, owner)
    const base = 'http://localhost:4600/api/v1/auth/sso'
    expect(data).toEqual({
      oidc: { callback_url: `${base}/callback/${params.orgId}` },
      saml: {
        callback_url: `${base}/acs/${params.orgId}`,
        sp_entity_id: `${base}/metadata/${params.orgId}`,
        metadata_url: `${base}/metadata/${params.orgId}`,
      },
    })
  })

  test('for OpenID Connect is saved, and read without its secret', async () => {
    const { owner, params, domain } = await tenantWithout()
    const body = oidcBody(provider, domain)
    const written = await service.call(writeSsoConfig, { params, body }, owner)
    expect(written).toMatchObject({
      status: 200,
      data: {
        organization_id: params.orgId,
        protocol: 'oidc',
        issuer: provider.issuer,
        client_id: oidcClient.id,
        has_client_secret: true,
        idp_entity_id: null,
        domains: [
          {
            domain,
            verified_at: null,
            verified_by: null,
            txt_record: expect.stringMatching(/^assay-verification=[0-9a-f]{32}$/),
          },
        ],
        enforced: false,
        default_role: 'Viewer',
        tested_at: null,
      },
    })
    const read = await service.call(readSsoConfig, { params }, owner)
    expect(read.data).toEqual(written.data)
    expect(JSON.stringify([written.data, read.data])).not.toContain('canary')
  })

  test('is referenced by the organization', async () => {
    const { owner, params } = await addSsoTenant(service, provider)
    const config = await service.call(readSsoConfig, { params }, owner)
    const named = { id: params.orgId, sso_config_id: config.data?.id }
    expect((await service.call(listOrganizations, {}, owner)).data).toMatchObject([named])
    const body = { name: 'Another name' }
    expect(await service.call(updateOrganization, { params, body }, owner)).toMatchObject({
      data: { ...named, name: 'Another name' },
    })
  })

  test('for SAML is saved, with the certificate in any usual form', async () => {
    const { owner, params, domain } = await tenantWithout()
    const bare = certificate.replaceAll(/-----.*-----/g, '').trim()
    for (const given of [certificate, bare, certificate.replaceAll('\n', '\r\n')]) {
      const body = { ...samlBody(domain), idp_certificate: given, default_role: 'Editor' }
      const { status, data } = await service.call(writeSsoConfig, { params, body }, owner)
      expect([status, data.idp_certificate]).toEqual([200, certificate])
      expect(data).toMatchObject({
        protocol: 'saml',
        issuer: null,
        has_client_secret: false,
        default_role: 'Editor',
        callback_url: expect.stringContaining('/auth/sso/acs/'),
      })
    }
  })

  test('can be saved as it was read', async () => {
    const { owner, params } = await addSsoTenant(service, provider)
    const before = await service.call(readSsoConfig, { params }, owner)
    const after = await service.call(writeSsoConfig, { params, body: before.data }, owner)
    const { updated_at: _, ...same } = before.data ?? {}
    expect(after.data).toMatchObject(same)
  })

  test.each<readonly [what: string, change: Readonly<Record<string, unknown>>, message: RegExp]>([
    ['no issuer', { issuer: undefined }, /^issuer is required/],
    ['no client', { client_id: null }, /^client_id is required/],
    ['no domain', { domains: [] }, /^domains must have at least one/],
    [
      'too many domains',
      { domains: Array.from({ length: 21 }, newDomain) },
      /^domains .*at most 20/,
    ],
    [
      'an invalid domain',
      { domains: ['https://corp.test'] },
      /^domains\[0\] must be a domain name/,
    ],
    ['a domain without a dot', { domains: ['corp'] }, /^domains\[0\] must be a domain name/],
    ['a protocol of its own', { protocol: 'ldap' }, /^protocol /],
    [
      'Owner as the default role',
      { default_role: 'Owner' },
      /^default_role must be Admin, Editor or/,
    ],
    ['an empty secret', { client_secret: '' }, /^client_secret must not be empty/],
  ])('is refused with %s', async (_what, change, message) => {
    const { owner, params, domain } = await tenantWithout()
    const body = { ...oidcBody(provider, domain), ...change }
    const answer = await service.call(writeSsoConfig, { params, body }, owner)
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(answer.error.message).toMatch(message)
    expect((await service.call(readSsoConfig, { params }, owner)).data).toBeNull()
  })

  test.each<readonly [what: string, change: Readonly<Record<string, unknown>>]>([
    ['an issuer with a query', { issuer: 'https://idp.test/?a=1' }],
    ['an issuer with a password', { issuer: 'https://a:b@idp.test/' }],
    ['an issuer that is not a URL', { issuer: 'idp.test' }],
    ['advisory 22: an issuer inside', { issuer: 'http://10.0.0.1/' }],
    ['advisory 17: an issuer inside, in the clothes of IPv6', { issuer: 'http://[::ffff:a00:1]/' }],
    ['advisory 17: an issuer at home, in older clothes', { issuer: 'https://[::127.0.0.1]/' }],
    ['an issuer at home', { issuer: 'https://[::1]/' }],
    ['an issuer of a cloud', { issuer: 'http://169.254.169.254/' }],
    ['an issuer in clear', { issuer: 'http://1.1.1.1/' }],
  ])('with %s cannot be used, and is not saved', async (_what, change) => {
    const { owner, params, domain } = await tenantWithout()
    const body = { ...oidcBody(provider, domain), ...change }
    const answer = await service.call(writeSsoConfig, { params, body }, owner)
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } })
    expect(answer.error.message).toMatch(/^issuer /)
    expect((await service.call(readSsoConfig, { params }, owner)).data).toBeNull()
  })

  test.each([
    ['idp_sso_url', 'javascript:alert(1)'],
    ['idp_sso_url', 'https://a:b@idp.test/'],
    ['idp_certificate', 'not a certificate'],
    ['idp_certificate', certificate.replaceAll('A', 'B')],
    ['idp_certificate', certificate.repeat(5)],
  ])('with a %s such as %.40s cannot be used', async (field, value) => {
    const { owner, params, domain } = await tenantWithout()
    const body = { ...samlBody(domain), [field]: value }
    expect(await service.call(writeSsoConfig, { params, body }, owner)).toMatchObject({
      status: 422,
      error: { message: expect.stringMatching(new RegExp(`^${field} `)) },
    })
  })

  test('is removed once', async () => {
    const { owner, params, domain } = await addSsoTenant(service, provider)
    const removed = await service.call(removeSsoConfig, { params }, owner)
    expect(removed).toMatchObject({ status: 200, data: { deleted: true } })
    expect((await service.call(readSsoConfig, { params }, owner)).data).toBeNull()
    const { data } = await service.call(discoverSso, { body: { email: `ana@${domain}` } })
    expect(data).toEqual({ sso: false })
    expect(await service.call(removeSsoConfig, { params }, owner)).toMatchObject({ status: 404 })
  })

  test('advisory 28: is accessible only with manage_sso', async () => {
    const { params, members } = await addSsoTenant(service, provider)
    for (const role of ['Viewer', 'Editor'] as const) {
      const person = await service.signedIn(members[role])
      for (const declared of [readSsoConfig, writeSsoConfig, removeSsoConfig, testSsoConfig]) {
        const body = declared.method === 'PUT' ? oidcBody(provider, newDomain()) : {}
        const args = declared.method === 'GET' ? { params } : { params, body }
        expect(await service.call(declared, args, person)).toMatchObject({
          status: 403,
          error: { message: 'Insufficient permissions.' },
        })
      }
    }
    const admin = await service.signedIn(members.Admin)
    expect((await service.call(readSsoConfig, { params }, admin)).status).toBe(200)
  })
})

describe('the secret', () => {
  const secretOf = async ({ params }: Pick<SsoTenant, 'params'>) =>
    (await service.accounts.sso.findOfOrganization(params.orgId))?.client_secret ?? null

  test('is stored encrypted', async () => {
    const tenant = await addSsoTenant(service, provider)
    expect(await secretOf(tenant)).toMatch(/^v1\.[0-9a-f]{12}\./)
    expect(await secretOf(tenant)).not.toContain(oidcClient.secret)
  })

  test('is kept when the configuration is saved without it', async () => {
    const tenant = await addSsoTenant(service, provider)
    const before = await secretOf(tenant)
    const { client_secret: _, ...body } = oidcBody(provider, tenant.domain)
    const answer = await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect(answer.data.has_client_secret).toBe(true)
    expect(await secretOf(tenant)).toBe(before)
  })

  test.each<readonly [what: string, change: Readonly<Record<string, unknown>>]>([
    ['the issuer changes', { issuer: 'https://1.1.1.1' }],
    ['it is taken away', { client_secret: null }],
    ['the protocol changes', samlBody('other.test')],
  ])('is dropped when %s', async (_what, change) => {
    const tenant = await addSsoTenant(service, provider)
    const { client_secret: _, ...body } = oidcBody(provider, tenant.domain)
    const answer = await service.call(
      writeSsoConfig,
      { ...tenant, body: { ...body, ...change } },
      tenant.owner,
    )
    expect(answer).toMatchObject({ status: 200, data: { has_client_secret: false } })
    expect(await secretOf(tenant)).toBeNull()
  })

  test('is not sent to a new issuer', async () => {
    const other = await startOidcProvider()
    const tenant = await addSsoTenant(service, provider)
    const { client_secret: _, ...body } = oidcBody(other, tenant.domain)
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    other.answer()
    await signInThrough(service, other, tenant, `ana@${tenant.domain}`)
    const tokenRequest = other.requests.find(({ path }) => path === '/token')
    expect(tokenRequest).toMatchObject({ authorization: '' })
    expect(tokenRequest?.body).not.toContain('secret')
    await other.stop()
  })
})

describe('the audit log', () => {
  test('lists which members changed, without values', async () => {
    const tenant = await addSsoTenant(service, provider)
    const body = { ...oidcBody(provider, tenant.domain), default_role: 'Editor' }
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    await service.call(removeSsoConfig, { params: tenant.params }, tenant.owner)
    const rows = await service.query(
      `select action, actor_id, target_kind, details from audit_log
       where organization_id = '${tenant.organizationId}' order by id`,
    )
    const owner = { actor_id: tenant.members.Owner.id, target_kind: 'sso_config' }
    const saved = { protocol: 'oidc', domains: [tenant.domain], enforced: false }
    expect(rows.map((row) => ({ ...row, details: JSON.parse(String(row['details'])) }))).toEqual([
      {
        ...owner,
        action: 'sso_config.saved',
        details: {
          ...saved,
          changed: ['protocol', 'issuer', 'client_id', 'client_secret', 'enforced', 'default_role'],
        },
      },
      {
        ...owner,
        action: 'sso_domain.verified',
        actor_id: expect.any(String),
        details: { domain: tenant.domain, method: 'approval' },
      },
      {
        ...owner,
        action: 'sso_config.saved',
        details: { ...saved, changed: ['client_secret', 'default_role'] },
      },
      { ...owner, action: 'sso_config.removed', details: { protocol: 'oidc' } },
    ])
  })
})

describe('a domain', () => {
  const verify = (
    tenant: { params: { orgId: string }; owner: Record<string, string> },
    domain: string,
  ) => service.call(verifySsoDomain, { params: { ...tenant.params, domain } }, tenant.owner)

  async function named(domain: string) {
    const tenant = await tenantWithout()
    const body = oidcBody(provider, domain)
    const { data } = await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    return { ...tenant, domain, record: data.domains[0]?.txt_record ?? '' }
  }

  test('is verified by a TXT record, with a message about what is missing', async () => {
    const tenant = await named(newDomain())
    expect(await verify(tenant, tenant.domain)).toMatchObject({
      status: 422,
      error: {
        message: expect.stringContaining('DNS gave no'),
        details: { hint: expect.stringContaining(tenant.record) },
      },
    })
    for (const records of [[], ['v=spf1 -all', `${tenant.record}0`], ['assay-verification=']]) {
      txtRecords.set(tenant.domain, records)
      expect(await verify(tenant, tenant.domain)).toMatchObject({
        status: 422,
        error: { message: expect.stringContaining('does not hold the record') },
      })
    }
    txtRecords.set(tenant.domain, ['v=spf1 -all', tenant.record])
    const expected = { status: 200, data: { domain: tenant.domain, verified_by: 'dns' } }
    expect(await verify(tenant, tenant.domain)).toMatchObject(expected)
    txtRecords.delete(tenant.domain)
    expect(await verify(tenant, tenant.domain.toUpperCase())).toMatchObject(expected)
  })

  test('can be approved by a super admin without DNS', async () => {
    const tenant = await named(newDomain())
    await approve(service, tenant.params.orgId, tenant.domain)
    const { data } = await service.call(readSsoConfig, tenant, tenant.owner)
    expect(data?.domains).toMatchObject([{ verified_by: 'approval' }])
  })

  test('that the configuration does not have is not found', async () => {
    const tenant = await named(newDomain())
    expect(await verify(tenant, 'elsewhere.test')).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
  })

  test('belongs to the organization that verified it, not the one that entered it first', async () => {
    const domain = newDomain()
    const squatter = await named(domain)
    const holder = await named(domain)
    expect(squatter.record).not.toBe(holder.record)
    txtRecords.set(domain, [holder.record])
    expect(await verify(squatter, domain)).toMatchObject({ status: 422 })
    expect(await verify(holder, domain)).toMatchObject({ status: 200 })
    txtRecords.set(domain, [holder.record, squatter.record])
    expect(await verify(squatter, domain)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: 'This domain belongs to another organization.' },
    })
    const { data } = await service.call(readSsoConfig, squatter, squatter.owner)
    expect(data?.domains).toMatchObject([{ verified_at: null }])
  })

  test('is available to others when its organization removes it, and must be verified again', async () => {
    const tenant = await named(newDomain())
    await approve(service, tenant.params.orgId, tenant.domain)
    const other = newDomain()
    await service.call(writeSsoConfig, { ...tenant, body: oidcBody(provider, other) }, tenant.owner)
    const next = await named(tenant.domain)
    await approve(service, next.params.orgId, next.domain)
    const again = { ...oidcBody(provider, other), domains: [other, tenant.domain] }
    const { data } = await service.call(writeSsoConfig, { ...tenant, body: again }, tenant.owner)
    expect(data.domains.map(({ verified_at }) => verified_at)).toEqual([null, null])
  })

  test('is verified for one of many organizations that verify it at the same time', async () => {
    const domain = newDomain()
    const tenants = await Promise.all(Array.from({ length: 5 }, () => named(domain)))
    txtRecords.set(
      domain,
      tenants.map(({ record }) => record),
    )
    const responses = await Promise.all(tenants.map((tenant) => verify(tenant, domain)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
  })
})

describe('a test sign-in', () => {
  test('is refused at once when there is no configuration, or the provider cannot be used', async () => {
    const tenant = await tenantWithout()
    const begin = () => service.call(testSsoConfig, { ...tenant, body: {} }, tenant.owner)
    expect(await begin()).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    const body = { ...oidcBody(provider, tenant.domain), issuer: 'http://127.0.0.1:1' }
    await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect(await begin()).toMatchObject({
      status: 422,
      error: {
        code: 'VALIDATION_ERROR',
        message:
          'The identity provider cannot be used: 127.0.0.1:1: The address cannot be reached.',
        details: { target: '127.0.0.1:1' },
      },
    })
  })

  test.each([
    '//evil.test',
    'https://evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'settings',
    '/a\nb',
  ])('returns only to pages of this service, not to %j', async (return_to) => {
    const tenant = await addSsoTenant(service, provider)
    const answer = await service.call(
      testSsoConfig,
      { ...tenant, body: { return_to } },
      tenant.owner,
    )
    expect(answer).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/^return_to /) },
    })
  })
})

describe('enforcing', () => {
  const enforced = { status: 200, data: { enforced: true } }

  async function enforce({ params, owner, domain }: SsoTenant) {
    const { client_secret: _, ...body } = oidcBody(provider, domain)
    return await service.call(writeSsoConfig, { params, body: { ...body, enforced: true } }, owner)
  }

  /** A manager whose address is in the domain, and the manager's browser. */
  async function managerOf(tenant: SsoTenant) {
    const email = `boss@${tenant.domain}`
    const manager = await addUser(service.accounts, { email })
    await addMember(service.accounts, tenant.organizationId, manager.id, 'Admin')
    const credentials = await service.signedIn(manager)
    const browser = openBrowser(service)
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
    const back = provider.authorize(data.start_url, { email, ...claims })
    return await browser.call(finishOidc, { params, query: Object.fromEntries(back) })
  }

  test('requires a verified domain and a successful test by the person who enforces it', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    expect(await enforce(tenant)).toMatchObject({
      status: 409,
      error: { message: expect.stringContaining('Test this configuration successfully') },
    })
    const through = await tested(tenant)
    expect(through.data).toBe('/settings?tab=sso&sso_test=ok')
    expect(through.headers.getSetCookie().join()).not.toContain('assay_session')
    const { data } = await service.call(readSsoConfig, tenant, tenant.owner)
    expect(data?.tested_at).not.toBeNull()

    const otherOrganization = { ...tenant, owner: await service.signedIn(tenant.members.Owner) }
    expect(await enforce(otherOrganization)).toMatchObject({ status: 409 })
    expect(await enforce(tenant)).toMatchObject(enforced)
    expect(await enforce(otherOrganization)).toMatchObject(enforced)
  })

  test('is not possible before a domain is verified', async () => {
    const tenant = await tenantWithout()
    const body = { ...oidcBody(provider, tenant.domain), enforced: true }
    expect(await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: expect.stringContaining('Verify a domain') },
    })
    expect((await service.call(readSsoConfig, tenant, tenant.owner)).data).toBeNull()
  })

  test('requires another test after a change of the trusted provider', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    await tested(tenant)
    expect(await enforce(tenant)).toMatchObject(enforced)
    const body = { ...oidcBody(provider, tenant.domain), enforced: true }
    expect(await service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)).toMatchObject({
      status: 409,
    })
    const off = { ...body, enforced: false }
    expect(
      await service.call(writeSsoConfig, { ...tenant, body: off }, tenant.owner),
    ).toMatchObject({
      data: { enforced: false, tested_at: null },
    })
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test.each<readonly [what: string, claims: Readonly<Record<string, unknown>>, outcome: string]>([
    ['another person of the domain', { email: 'another@' }, 'another_person'],
    ['an address outside', { email: 'boss@other.test' }, 'outside_domains'],
  ])('is not tested by %s', async (_what, claims, outcome) => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    const email = String(claims['email']).replace(/@$/, `@${tenant.domain}`)
    const answer = await tested(tenant, { email })
    expect(answer.data).toBe(`/settings?tab=sso&sso_test=${outcome}`)
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test('is not tested in a browser where another person has signed in', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    const { params, browser, email } = tenant
    const { data } = await browser.call(testSsoConfig, { params, body: {} })
    const { cookie = '' } = await service.signedIn(tenant.members.Owner)
    browser.cookies.set('assay_session', cookie.split('=')[1] ?? '')
    const query = Object.fromEntries(provider.authorize(data.start_url, { email }))
    expect((await browser.call(finishOidc, { params, query })).data).toBe('/?sso_test=expired')
    expect(await enforce(tenant)).toMatchObject({ status: 409 })
  })

  test('a test fails as a sign-in would, and its page reports it', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    provider.answer({ signature: 'another key' })
    expect((await tested(tenant)).data).toBe('/settings?tab=sso&sso_test=invalid_response')
    provider.answer()
  })

  test('links the tester and verifies their address', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    await tested(tenant)
    const after = await service.accounts.users.find(tenant.manager.id)
    expect(after?.email_verified_at).not.toBeNull()
    const { location } = await signInThrough(service, provider, tenant, tenant.email, {
      claims: { sub: 'subject-1' },
    })
    expect(location).toBe('/')
  })

  test('ends the password sessions of the domain, except the one that enforces it', async () => {
    const tenant = await managerOf(await addSsoTenant(service, provider))
    const colleague = await service.signedIn(
      await addUser(service.accounts, { email: `ben@${tenant.domain}` }),
    )
    const outsider = await service.signedIn(
      await addUser(service.accounts, { email: `ben@not-${tenant.domain}` }),
    )
    const superAdmin = await service.signedIn(
      await addUser(service.accounts, { email: `root@${tenant.domain}`, superAdmin: true }),
    )
    await tested(tenant)
    await enforce(tenant)
    const statuses = []
    for (const person of [tenant.owner, colleague, outsider, superAdmin]) {
      statuses.push((await service.call(readSession, {}, person)).status)
    }
    expect(statuses).toEqual([200, 401, 200, 200])
  })
})
