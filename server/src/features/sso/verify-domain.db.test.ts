import { readSsoConfig, verifySsoDomain, writeSsoConfig } from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { addUser } from '../../../test/people.ts'
import { ssoSuite } from '../../../test/sso-suite.ts'
import { approve, newDomain, oidcBody } from '../../../test/sso-tenant.ts'

const txtRecords = new Map<string, readonly string[]>()
const sso = ssoSuite(txtRecords)

async function tenantWithout() {
  const tenant = await sso.service.addTenant()
  const owner = await sso.service.signedIn(tenant.members.Owner)
  return { ...tenant, owner, params: { orgId: tenant.organizationId }, domain: newDomain() }
}

describe('a domain', () => {
  const verify = (
    tenant: { params: { orgId: string }; owner: Record<string, string> },
    domain: string,
    query: { method?: 'dns' | 'approval' } = {},
  ) =>
    sso.service.call(verifySsoDomain, { params: { ...tenant.params, domain }, query }, tenant.owner)

  async function named(domain: string) {
    const tenant = await tenantWithout()
    const body = oidcBody(sso.provider, domain)
    const { data } = await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
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
    await approve(sso.service, tenant.params.orgId, tenant.domain)
    const { data } = await sso.service.call(readSsoConfig, tenant, tenant.owner)
    expect(data?.domains).toMatchObject([{ verified_by: 'approval' }])
  })

  test('can also be verified by DNS by a super admin', async () => {
    const tenant = await named(newDomain())
    const admin = await sso.service.signedIn(
      await addUser(sso.service.accounts, { superAdmin: true }),
    )
    const byDns = () => verify({ ...tenant, owner: admin }, tenant.domain, { method: 'dns' })
    expect(await byDns()).toMatchObject({ status: 422 })
    txtRecords.set(tenant.domain, [tenant.record])
    expect(await byDns()).toMatchObject({ status: 200, data: { verified_by: 'dns' } })
  })

  test('is not approved by an owner', async () => {
    const tenant = await named(newDomain())
    txtRecords.set(tenant.domain, [tenant.record])
    expect(await verify(tenant, tenant.domain, { method: 'approval' })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN', message: 'Only super admins can approve a domain.' },
    })
    const { data } = await sso.service.call(readSsoConfig, tenant, tenant.owner)
    expect(data?.domains).toMatchObject([{ verified_at: null }])
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
    const { data } = await sso.service.call(readSsoConfig, squatter, squatter.owner)
    expect(data?.domains).toMatchObject([{ verified_at: null }])
  })

  test('is available to others when its organization removes it, and must be verified again', async () => {
    const tenant = await named(newDomain())
    await approve(sso.service, tenant.params.orgId, tenant.domain)
    const other = newDomain()
    await sso.service.call(
      writeSsoConfig,
      { ...tenant, body: oidcBody(sso.provider, other) },
      tenant.owner,
    )
    const next = await named(tenant.domain)
    await approve(sso.service, next.params.orgId, next.domain)
    const again = { ...oidcBody(sso.provider, other), domains: [other, tenant.domain] }
    const { data } = await sso.service.call(
      writeSsoConfig,
      { ...tenant, body: again },
      tenant.owner,
    )
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
