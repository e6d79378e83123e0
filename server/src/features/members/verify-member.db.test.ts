import { inviteMember, listMembers, verifyMember } from '@assay/contract/members.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { setUp } from '@assay/contract/sign-in.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMailbox } from '../../../test/mailbox.ts'
import { startOidcProvider } from '../../../test/oidc-provider.ts'
import { addUser } from '../../../test/people.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { addSsoTenant } from '../../../test/sso-tenant.ts'
import { type Credentials, setupToken, startService } from '../../../test/started-app.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const service = runningService()
let superAdmin: Credentials
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

beforeAll(async () => {
  superAdmin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await service.call(addPlatformAccess, { body: { pattern: '@x.org' } }, superAdmin)
})

const verify = (userId: string, as = owner) =>
  service.call(verifyMember, { params: { orgId: acme.organizationId, userId } }, as)
const verifiedAt = async ({ id }: UserRow, on = service) =>
  (await on.accounts.users.find(id))?.email_verified_at
const auditedActions = () =>
  service.query(
    `select target_id from audit_log where action = 'user.email_marked_verified' and organization_id = '${acme.organizationId}'`,
  )

describe('POST /orgs/{orgId}/members/{userId}/verify-email', () => {
  test('verifies the address, so that another organization adds the person directly', async () => {
    const { Viewer } = acme.members
    const other = await service.addTenant()
    const marked = await verify(Viewer.id)
    expect(marked).toMatchObject({ status: 200, data: { user_id: Viewer.id } })
    expect(marked.data.email_verified_at).toBe(await verifiedAt(Viewer))
    const invited = await service.call(
      inviteMember,
      { params: { orgId: other.organizationId }, body: { email: Viewer.email, role: 'Editor' } },
      await service.signedIn(other.members.Owner),
    )
    expect(invited.data).toMatchObject({ status: 'added', invite_token: null })
  })

  test('is recorded once and changes nothing when repeated', async () => {
    const { Viewer } = acme.members
    const first = await verify(Viewer.id)
    expect(await verify(Viewer.id)).toMatchObject({ status: 200, data: first.data })
    expect(await auditedActions()).toEqual([{ target_id: Viewer.id }])
    const listed = await service.call(
      listMembers,
      { params: { orgId: acme.organizationId } },
      owner,
    )
    expect(listed.data.filter((one) => one.email_verified_at !== null)).toEqual([first.data])
  })

  test('is refused to Admins, for oneself and for people who are not members', async () => {
    const { Admin, Owner, Viewer } = acme.members
    const nonMember = await addUser(service.accounts)
    const asAdmin = await service.signedIn(Admin)
    expect(await verify(Viewer.id, asAdmin)).toMatchObject({
      status: 403,
      error: { message: 'Only an Owner can mark an address as verified.' },
    })
    expect(await verify(Owner.id)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } })
    expect(await verify(nonMember.id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    for (const person of [Viewer, Owner, nonMember]) expect(await verifiedAt(person)).toBeNull()
    expect(await auditedActions()).toEqual([])
  })

  test('is refused for a domain that uses single sign-on', async () => {
    const provider = await startOidcProvider()
    const { domain } = await addSsoTenant(service, provider)
    const person = await addUser(service.accounts, { email: `ana@${domain}` })
    await service.accounts.memberships.insert({
      ...{ organization_id: acme.organizationId, user_id: person.id },
      ...{ role: 'Viewer', joined_at: person.created_at },
    })
    expect(await verify(person.id)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    expect(await verifiedAt(person)).toBeNull()
    await provider.stop()
  })

  test('is refused where mail is configured', async () => {
    const withMail = await startService({ mailer: openMailbox() })
    const { organizationId: orgId, members } = await withMail.addTenant()
    const params = { orgId, userId: members.Viewer.id }
    const as = await withMail.signedIn(members.Owner)
    expect(await withMail.call(verifyMember, { params }, as)).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT' },
    })
    expect(await verifiedAt(members.Viewer, withMail)).toBeNull()
    await withMail.stop()
  })
})

test('the address of the person who sets the service up is verified', async () => {
  const fresh = await startService()
  const body = {
    ...{ token: setupToken, email: 'ana@x.org', password: 'correct horse', name: 'Ana' },
    ...{ organization_name: 'Acme', project_name: 'First' },
  }
  await fresh.call(setUp, { body })
  expect((await fresh.accounts.users.findByEmailKey('ana@x.org'))?.email_verified_at).not.toBeNull()
  await fresh.stop()
})
