import { listOrganizations, updateOrganization } from '@assay/contract/organizations.ts'
import {
  discoverSso,
  readSsoConfig,
  readSsoService,
  removeSsoConfig,
  testSsoConfig,
  writeSsoConfig,
} from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { oidcClient, startOidcProvider } from '../../../test/oidc-provider.ts'
import { selfSigned } from '../../../test/self-signed-certificate.ts'
import { ssoSuite } from '../../../test/sso-suite.ts'
import {
  addSsoTenant,
  newDomain,
  oidcBody,
  type SsoTenant,
  signInThrough,
} from '../../../test/sso-tenant.ts'

const { certificate } = selfSigned('idp.corp.test')
const sso = ssoSuite()

const samlBody = (domain: string) => ({
  protocol: 'saml',
  idp_entity_id: 'https://idp.corp.test/saml',
  idp_sso_url: 'https://idp.corp.test/sso',
  idp_certificate: certificate,
  domains: [domain],
})

async function tenantWithout() {
  const tenant = await sso.service.addTenant()
  const owner = await sso.service.signedIn(tenant.members.Owner)
  return { ...tenant, owner, params: { orgId: tenant.organizationId }, domain: newDomain() }
}

describe('the configuration of an organization', () => {
  test('is null at first, and the values for the provider are already available', async () => {
    const { owner, params } = await tenantWithout()
    expect((await sso.service.call(readSsoConfig, { params }, owner)).data).toBeNull()
    const { data } = await sso.service.call(readSsoService, { params }, owner)
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
    const body = oidcBody(sso.provider, domain)
    const written = await sso.service.call(writeSsoConfig, { params, body }, owner)
    expect(written).toMatchObject({
      status: 200,
      data: {
        organization_id: params.orgId,
        protocol: 'oidc',
        issuer: sso.provider.issuer,
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
    const read = await sso.service.call(readSsoConfig, { params }, owner)
    expect(read.data).toEqual(written.data)
    expect(JSON.stringify([written.data, read.data])).not.toContain('canary')
  })

  test('is referenced by the organization', async () => {
    const { owner, params } = await addSsoTenant(sso.service, sso.provider)
    const config = await sso.service.call(readSsoConfig, { params }, owner)
    const named = { id: params.orgId, sso_config_id: config.data?.id }
    expect((await sso.service.call(listOrganizations, {}, owner)).data).toMatchObject([named])
    const body = { name: 'Another name' }
    expect(await sso.service.call(updateOrganization, { params, body }, owner)).toMatchObject({
      data: { ...named, name: 'Another name' },
    })
  })

  test('for SAML is saved, with the certificate in any usual form', async () => {
    const { owner, params, domain } = await tenantWithout()
    const bare = certificate.replaceAll(/-----.*-----/g, '').trim()
    for (const given of [certificate, bare, certificate.replaceAll('\n', '\r\n')]) {
      const body = { ...samlBody(domain), idp_certificate: given, default_role: 'Editor' }
      const { status, data } = await sso.service.call(writeSsoConfig, { params, body }, owner)
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
    const { owner, params } = await addSsoTenant(sso.service, sso.provider)
    const before = await sso.service.call(readSsoConfig, { params }, owner)
    const after = await sso.service.call(writeSsoConfig, { params, body: before.data }, owner)
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
    const body = { ...oidcBody(sso.provider, domain), ...change }
    const answer = await sso.service.call(writeSsoConfig, { params, body }, owner)
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    expect(answer.error.message).toMatch(message)
    expect((await sso.service.call(readSsoConfig, { params }, owner)).data).toBeNull()
  })

  test.each<readonly [what: string, change: Readonly<Record<string, unknown>>]>([
    ['an issuer with a query', { issuer: 'https://idp.test/?a=1' }],
    ['an issuer with a password', { issuer: 'https://a:b@idp.test/' }],
    ['an issuer that is not a URL', { issuer: 'idp.test' }],
    ['an issuer at a private address', { issuer: 'http://10.0.0.1/' }],
    [
      'an issuer at a private IPv4 address mapped to IPv6 (CVE-2026-31943)',
      { issuer: 'http://[::ffff:a00:1]/' },
    ],
    [
      'an issuer at loopback as an IPv4-compatible IPv6 address (CVE-2026-31943)',
      { issuer: 'https://[::127.0.0.1]/' },
    ],
    ['an issuer at home', { issuer: 'https://[::1]/' }],
    ['an issuer of a cloud', { issuer: 'http://169.254.169.254/' }],
    ['an issuer in clear', { issuer: 'http://1.1.1.1/' }],
  ])('with %s cannot be used, and is not saved', async (_what, change) => {
    const { owner, params, domain } = await tenantWithout()
    const body = { ...oidcBody(sso.provider, domain), ...change }
    const answer = await sso.service.call(writeSsoConfig, { params, body }, owner)
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } })
    expect(answer.error.message).toMatch(/^issuer /)
    expect((await sso.service.call(readSsoConfig, { params }, owner)).data).toBeNull()
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
    expect(await sso.service.call(writeSsoConfig, { params, body }, owner)).toMatchObject({
      status: 422,
      error: { message: expect.stringMatching(new RegExp(`^${field} `)) },
    })
  })

  test('is removed once', async () => {
    const { owner, params, domain } = await addSsoTenant(sso.service, sso.provider)
    const removed = await sso.service.call(removeSsoConfig, { params }, owner)
    expect(removed).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect((await sso.service.call(readSsoConfig, { params }, owner)).data).toBeNull()
    const { data } = await sso.service.call(discoverSso, { body: { email: `ana@${domain}` } })
    expect(data).toEqual({ sso: false })
    expect(await sso.service.call(removeSsoConfig, { params }, owner)).toMatchObject({
      status: 404,
    })
  })

  test('is accessible only with manage_sso (GHSA-gv74-j8m3-fg5f)', async () => {
    const { params, members } = await addSsoTenant(sso.service, sso.provider)
    for (const role of ['Viewer', 'Editor'] as const) {
      const person = await sso.service.signedIn(members[role])
      for (const declared of [readSsoConfig, writeSsoConfig, removeSsoConfig, testSsoConfig]) {
        const body = declared.method === 'PUT' ? oidcBody(sso.provider, newDomain()) : {}
        const args = declared.method === 'GET' ? { params } : { params, body }
        expect(await sso.service.call(declared, args, person)).toMatchObject({
          status: 403,
          error: { message: 'Insufficient permissions.' },
        })
      }
    }
    const admin = await sso.service.signedIn(members.Admin)
    expect((await sso.service.call(readSsoConfig, { params }, admin)).status).toBe(200)
  })
})

describe('the secret', () => {
  const readSecret = async ({ params }: Pick<SsoTenant, 'params'>) =>
    (await sso.service.accounts.sso.findByOrganization(params.orgId))?.client_secret ?? null

  test('is stored encrypted', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    expect(await readSecret(tenant)).toMatch(/^v1\.[0-9a-f]{12}\./)
    expect(await readSecret(tenant)).not.toContain(oidcClient.secret)
  })

  test('is kept when the configuration is saved without it', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const before = await readSecret(tenant)
    const { client_secret: _, ...body } = oidcBody(sso.provider, tenant.domain)
    const answer = await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect(answer.data.has_client_secret).toBe(true)
    expect(await readSecret(tenant)).toBe(before)
  })

  test.each<readonly [what: string, change: Readonly<Record<string, unknown>>]>([
    ['the issuer changes', { issuer: 'https://1.1.1.1' }],
    ['it is taken away', { client_secret: null }],
    ['the protocol changes', samlBody('other.test')],
  ])('is dropped when %s', async (_what, change) => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { client_secret: _, ...body } = oidcBody(sso.provider, tenant.domain)
    const answer = await sso.service.call(
      writeSsoConfig,
      { ...tenant, body: { ...body, ...change } },
      tenant.owner,
    )
    expect(answer).toMatchObject({ status: 200, data: { has_client_secret: false } })
    expect(await readSecret(tenant)).toBeNull()
  })

  test('is not sent to a new issuer', async () => {
    const other = await startOidcProvider()
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { client_secret: _, ...body } = oidcBody(other, tenant.domain)
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    other.answer()
    await signInThrough(sso.service, other, tenant, `ana@${tenant.domain}`)
    const tokenRequest = other.requests.find(({ path }) => path === '/token')
    expect(tokenRequest).toMatchObject({ authorization: '' })
    expect(tokenRequest?.body).not.toContain('secret')
    await other.stop()
  })
})

describe('the audit log', () => {
  test('lists which members changed, without values', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const body = { ...oidcBody(sso.provider, tenant.domain), default_role: 'Editor' }
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    await sso.service.call(removeSsoConfig, { params: tenant.params }, tenant.owner)
    const rows = await sso.service.query(
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

describe('a test sign-in', () => {
  test('is refused at once when there is no configuration, or the provider cannot be used', async () => {
    const tenant = await tenantWithout()
    const begin = () => sso.service.call(testSsoConfig, { ...tenant, body: {} }, tenant.owner)
    expect(await begin()).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    const body = { ...oidcBody(sso.provider, tenant.domain), issuer: 'http://127.0.0.1:1' }
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
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
  ])('returns only to pages of this sso.service, not to %j', async (return_to) => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const answer = await sso.service.call(
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
