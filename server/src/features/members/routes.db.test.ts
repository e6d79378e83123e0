import {
  acceptInvite,
  changeRole,
  inviteMember,
  listInvites,
  listMembers,
  readInvite,
  removeMember,
  revokeInvite,
} from '@assay/contract/members.ts'
import { listOrganizations } from '@assay/contract/organizations.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMailbox, tokenIn } from '../../../test/mailbox.ts'
import { addMember, addUser } from '../../../test/people.ts'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'

const mailbox = openMailbox()
const service = runningService({ mailer: mailbox })
let superAdmin: Credentials
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

beforeAll(async () => {
  superAdmin = await service.signedIn(await addUser(service.accounts, { superAdmin: true }))
  await service.call(addPlatformAccess, { body: { pattern: '@x.org' } }, superAdmin)
})
beforeEach(async () => {
  mailbox.isBroken = false
})

const inAcme = () => ({ orgId: acme.organizationId })
const invite = (body: object, as = owner) =>
  service.call(inviteMember, { params: inAcme(), body }, as)

describe('GET /orgs/{orgId}/members', () => {
  test('lists all members with their roles, for any member', async () => {
    const viewer = await service.signedIn(acme.members.Viewer)
    const { data } = await service.call(listMembers, { params: inAcme() }, viewer)
    expect(Object.fromEntries(data.map(({ user_id, role }) => [user_id, role]))).toEqual(
      Object.fromEntries(Object.entries(acme.members).map(([role, { id }]) => [id, role])),
    )
  })

  test('lists them in pages, by address, each once, although one leaves and one joins', async () => {
    const page = (query: object) => service.call(listMembers, { params: inAcme(), query }, owner)
    const first = await page({ limit: 2 })
    const [, last] = first.data
    const { Owner } = acme.members
    const leaving = last?.user_id === Owner.id ? first.data[0] : last
    const params = { ...inAcme(), userId: leaving?.user_id }
    await service.call(removeMember, { params }, owner)
    const { id } = await addUser(service.accounts, { email: `zoe-${acme.organizationId}@x.org` })
    await addMember(service.accounts, acme.organizationId, id, 'Viewer')
    const second = await page({ limit: 2, cursor: first.meta.cursor })
    const third = await page({ limit: 2, cursor: second.meta.cursor })
    expect(third.meta).toEqual({ pageSize: 1, cursor: null })
    const listed = [...first.data, ...second.data, ...third.data]
    const ids = [...Object.values(acme.members).map((member) => member.id), id]
    expect(listed.map(({ user_id }) => user_id).toSorted()).toEqual(ids.toSorted())
    const addresses = listed.map(({ email }) => email.toLowerCase())
    expect(addresses).toEqual(addresses.toSorted())
  })
})

describe('PATCH /orgs/{orgId}/members/{userId}', () => {
  const change = (userId: string, role: string, as = owner) =>
    service.call(changeRole, { params: { ...inAcme(), userId }, body: { role } }, as)

  test("takes effect from the person's next request on", async () => {
    const { Admin } = acme.members
    const admin = await service.signedIn(Admin)
    expect((await invite({ email: 'ben@x.org', role: 'Viewer' }, admin)).status).toBe(201)
    expect(await change(Admin.id, 'Editor')).toMatchObject({
      status: 200,
      data: { user_id: Admin.id, email: Admin.email, role: 'Editor' },
    })
    expect(await invite({ email: 'ben@x.org', role: 'Viewer' }, admin)).toMatchObject({
      status: 403,
      error: { message: 'Insufficient permissions.' },
    })
  })

  // Specification, "Input failures that surface as 500".
  test('responds with 500 when another person is made an Owner, or the person is not a member', async () => {
    const nonMember = await addUser(service.accounts)
    for (const [userId, role] of [
      [acme.members.Admin.id, 'Owner'],
      [nonMember.id, 'Viewer'],
      ['nobody', 'Viewer'],
    ] as const) {
      expect(await change(userId, role)).toMatchObject({
        status: 500,
        error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.', details: {} },
      })
    }
  })

  test('refuses an Admin who changes an Owner, and an unknown role', async () => {
    const admin = await service.signedIn(acme.members.Admin)
    expect(await change(acme.members.Owner.id, 'Viewer', admin)).toMatchObject({ status: 403 })
    expect(await change(acme.members.Viewer.id, 'King')).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^role /) },
    })
  })
})

describe('DELETE /orgs/{orgId}/members/{userId}', () => {
  const remove = (userId: string) =>
    service.call(removeMember, { params: { ...inAcme(), userId } }, owner)

  test('removes all access from the next request on', async () => {
    const { Editor } = acme.members
    const editor = await service.signedIn(Editor)
    expect(await remove(Editor.id)).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(await service.call(listMembers, { params: inAcme() }, editor)).toMatchObject({
      status: 403,
      error: { message: 'You do not have access to this organization.' },
    })
    expect(await remove(Editor.id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
  })

  test('keeps the last Owner', async () => {
    expect(await remove(acme.members.Owner.id)).toMatchObject({
      status: 403,
      error: { message: 'An organization keeps at least one Owner.' },
    })
  })
})

describe('POST /orgs/{orgId}/members/invite', () => {
  test('returns the token once, mails it to the address, and lists the invite without it', async () => {
    const email = 'Ana@X.org'
    const { status, data } = await invite({ email: ` ${email} `, role: 'Editor' })
    expect([status, data.status, data.email, data.mail]).toEqual([201, 'invited', email, 'sent'])
    const mail = mailbox.mails.at(-1)
    expect(mail).toMatchObject({ to: email, subject: 'Acme on Assay' })
    expect(tokenIn(mail ?? { to: '', subject: '', text: '' })).toBe(data.invite_token)
    const listed = await service.call(listInvites, { params: inAcme() }, owner)
    expect(listed.data).toMatchObject([
      { email, role: 'Editor', invited_by: acme.members.Owner.email },
    ])
    expect(JSON.stringify(listed.data)).not.toContain(data.invite_token)
  })

  test('is kept if the mail cannot be sent, and reports it', async () => {
    mailbox.isBroken = true
    const { status, data } = await invite({ email: 'ben@x.org', role: 'Editor' })
    expect([status, data.status, data.mail]).toEqual([201, 'invited', 'failed'])
    expect((await service.call(listInvites, { params: inAcme() }, owner)).data).toHaveLength(1)
  })

  test('refuses with the messages of the specification', async () => {
    expect(await invite({ email: acme.members.Viewer.email, role: 'Viewer' })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', message: 'User is already a member.' },
    })
    expect(await invite({ email: 'ana@elsewhere.org', role: 'Viewer' })).toMatchObject({
      status: 409,
      error: { code: 'PLATFORM_ACCESS_REQUIRED' },
    })
    expect(await invite({ email: 'no address', role: 'Viewer' })).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: 'email must be an e-mail address' },
    })
    expect((await service.call(listInvites, { params: inAcme() }, owner)).data).toEqual([])
  })
})

describe('an invite', () => {
  test('is readable with its token, and makes the invited person a member', async () => {
    const ana = await addUser(service.accounts)
    const { data } = await invite({ email: ana.email, role: 'Editor' })
    const body = { invite_token: data.invite_token }
    expect(await service.call(readInvite, { body })).toMatchObject({
      status: 200,
      data: { organization_name: 'Acme', email: ana.email, role: 'Editor' },
    })
    const as = await service.signedIn(ana)
    expect(await service.call(acceptInvite, { body }, as)).toMatchObject({
      status: 200,
      data: { id: acme.organizationId, role: 'Editor' },
    })
    expect((await service.call(listOrganizations, {}, as)).data).toMatchObject([{ role: 'Editor' }])
    expect(await service.call(acceptInvite, { body }, as)).toMatchObject({ status: 404 })
    expect(await service.call(readInvite, { body })).toMatchObject({ status: 404 })
  })

  test('does not work when it is revoked', async () => {
    const ana = await addUser(service.accounts)
    const { data } = await invite({ email: ana.email, role: 'Editor' })
    const [listed] = (await service.call(listInvites, { params: inAcme() }, owner)).data
    const params = { ...inAcme(), inviteId: listed?.id ?? '' }
    const elsewhere = await service.addTenant()
    expect(
      await service.call(
        revokeInvite,
        { params: { ...params, orgId: elsewhere.organizationId } },
        await service.signedIn(elsewhere.members.Owner),
      ),
    ).toMatchObject({ status: 404 })
    expect(await service.call(revokeInvite, { params }, owner)).toMatchObject({
      status: 200,
      data: { status: 'revoked' },
    })
    expect(await service.call(revokeInvite, { params }, owner)).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
    const body = { invite_token: data.invite_token }
    const as = await service.signedIn(ana)
    expect(await service.call(acceptInvite, { body }, as)).toMatchObject({ status: 404 })
    expect((await service.call(listOrganizations, {}, as)).data).toEqual([])
  })
})
