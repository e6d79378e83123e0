import { canAssignRole, type Role, roles } from '@assay/contract/access.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  engines,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../test/accounts-database.ts'
import { addMember, addTenant, addUser, type Tenant } from '../../../test/people.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import { acceptInvite } from '../../accounts/invite.ts'
import { systemClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'
import { addAccess } from '../platform/access.ts'
import { changeRole, removeMember } from './change-role.ts'
import { type InvitePorts, inviteMember } from './invite-member.ts'

const at = '2026-05-01T08:00:00.000Z'

let opened: TestAccounts
let ports: InvitePorts
let acme: Tenant

describe.each(engines)('an invite on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    const { accounts } = opened
    ports = {
      ...{ accounts, clock: systemClock, mailer: undefined, log: silent },
      baseUrl: 'https://assay.example.org',
    }
    await addAccess('@x.org', commandLineActor, at, accounts)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  const as = (role: Role, { id, email, name } = acme.members[role]): MemberCaller => ({
    user: { id, email, name, isSuperAdmin: false },
    sessionId: 'a session',
    expiresAt: new Date(),
    organizationId: acme.organizationId,
    role,
  })
  const invite = (by: Role, email: string, role: Role) =>
    inviteMember(as(by), { email, role }, commandLineActor, ports)
  const tokenFor = async (email: string, role: Role = 'Editor') =>
    (await invite('Owner', email, role)).invite_token ?? ''
  const accept = (token: string, user: UserRow) =>
    opened.accounts.transaction((stores) => acceptInvite(token, user, commandLineActor, stores))
  const findRole = async (user: UserRow) =>
    (await opened.accounts.memberships.find(acme.organizationId, user.id))?.role
  const pending = async () => {
    const now = await opened.accounts.clock.now()
    return opened.accounts.invites.listPending(acme.organizationId, now)
  }
  const notFound = { code: 'NOT_FOUND', status: 404 }

  test.each(
    (['Owner', 'Admin'] as const).flatMap((by) => roles.map((role) => [by, role] as const)),
  )('by an %s is to %s only where that is not above their own role', async (by, role) => {
    const outcome = invite(by, `${newId()}@x.org`, role)
    if (canAssignRole(by, role)) await expect(outcome).resolves.toMatchObject({ status: 'invited' })
    else await expect(outcome).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 })
    expect(await pending()).toHaveLength(canAssignRole(by, role) ? 1 : 0)
  })

  test('needs an approved address, in any letter case', async () => {
    await expect(invite('Owner', 'ana@y.org', 'Viewer')).rejects.toMatchObject({
      code: 'PLATFORM_ACCESS_REQUIRED',
      status: 409,
    })
    await expect(invite('Owner', 'ana@sub.x.org', 'Viewer')).rejects.toMatchObject({
      code: 'PLATFORM_ACCESS_REQUIRED',
    })
    expect(await pending()).toEqual([])
    await addAccess(`Ana-${newId().slice(0, 8)}@Y.org`, commandLineActor, at, opened.accounts)
    const [approved] = (await opened.accounts.platformAccess.list()).filter(({ pattern }) =>
      pattern.endsWith('@y.org'),
    )
    const email = approved?.pattern.toUpperCase() ?? ''
    expect(await invite('Owner', email, 'Viewer')).toMatchObject({ status: 'invited', email })
  })

  test('is not created for a member', async () => {
    await expect(invite('Owner', acme.members.Viewer.email, 'Editor')).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      message: 'User is already a member.',
    })
    expect(await findRole(acme.members.Viewer)).toBe('Viewer')
  })

  test('adds a person whose address is verified, and only invites one whose address is not', async () => {
    const [verified, unverified] = [await addUser(opened.accounts), await addUser(opened.accounts)]
    await opened.accounts.users.update(verified.id, { email_verified_at: at })
    expect(await invite('Owner', verified.email, 'Editor')).toEqual({
      status: 'added',
      email: verified.email,
      invite_token: null,
      accept_url: null,
      mail: 'not_configured',
    })
    expect(await findRole(verified)).toBe('Editor')
    const invited = await invite('Owner', unverified.email, 'Editor')
    expect(invited).toMatchObject({ status: 'invited', mail: 'not_configured' })
    expect(invited.accept_url).toBe(
      `https://assay.example.org/accept-invite#token=${invited.invite_token}`,
    )
    expect(await findRole(unverified)).toBeUndefined()
  })

  test('is stored as a hash only', async () => {
    const token = await tokenFor(`${newId()}@x.org`)
    const everything = JSON.stringify([
      await opened.query('select * from invites'),
      await opened.query('select * from audit_log'),
    ])
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(everything).not.toContain(token)
  })

  test('replaces a pending one for the same address', async () => {
    const user = await addUser(opened.accounts)
    const first = await tokenFor(user.email, 'Admin')
    const second = await tokenFor(user.email.toUpperCase(), 'Viewer')
    expect(await pending()).toMatchObject([{ role: 'Viewer' }])
    await expect(accept(first, user)).rejects.toMatchObject(notFound)
    await accept(second, user)
    expect(await findRole(user)).toBe('Viewer')
  })

  test('is accepted by its token and address together, once, and leaves the address unverified', async () => {
    const [user, nonMember] = [await addUser(opened.accounts), await addUser(opened.accounts)]
    const token = await tokenFor(user.email)
    const [{ id } = { id: '' }] = await pending()
    for (const [guess, who] of [
      [token, nonMember],
      [id, user],
      [`${token}=`, user],
      ['', user],
    ] as const) {
      await expect(accept(guess, who), guess).rejects.toMatchObject(notFound)
    }
    expect(await findRole(nonMember)).toBeUndefined()
    await accept(token, user)
    expect(await findRole(user)).toBe('Editor')
    expect((await opened.accounts.users.find(user.id))?.email_verified_at).toBeNull()
    await expect(accept(token, user)).rejects.toMatchObject(notFound)
    expect(await pending()).toEqual([])
  })

  test('expires after seven days, by the clock of the database', async () => {
    const user = await addUser(opened.accounts)
    const token = await tokenFor(user.email)
    const [row] = await opened.query(
      `select created_at, expires_at from invites where email_key = '${user.email_key}'`,
    )
    const { created_at, expires_at } = row as { created_at: string; expires_at: string }
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000)
    const made = (secondsAgo: number) => {
      const expires = new Date(Date.parse(created_at) + (7 * 86_400 - secondsAgo) * 1000)
      return opened.query(
        `update invites set expires_at = '${expires.toISOString()}' where email_key = '${user.email_key}'`,
      )
    }
    await made(7 * 86_400 + 1)
    await expect(accept(token, user)).rejects.toMatchObject(notFound)
    expect(await pending()).toEqual([])
    await made(7 * 86_400 - 60)
    await accept(token, user)
  })

  test('is accepted by one of two concurrent requests', async () => {
    const user = await addUser(opened.accounts)
    const token = await tokenFor(user.email)
    const outcomes = await Promise.allSettled([accept(token, user), accept(token, user)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lines = await opened.accounts.audit.list(acme.organizationId, {
      limit: 10,
      action: 'invite.accepted',
    })
    expect(lines).toHaveLength(1)
  })

  test('does not change the role of a person who became a member in the meantime', async () => {
    const user = await addUser(opened.accounts)
    const token = await tokenFor(user.email, 'Viewer')
    await addMember(opened.accounts, acme.organizationId, user.id, 'Admin')
    await accept(token, user)
    expect(await findRole(user)).toBe('Admin')
  })

  test('is revoked when its inviter may no longer create it', async () => {
    const second = await addUser(opened.accounts)
    await addMember(opened.accounts, acme.organizationId, second.id, 'Owner')
    const [forOwner, forViewer] = [await addUser(opened.accounts), await addUser(opened.accounts)]
    const made = async (user: UserRow, role: Role) => {
      const form = { email: user.email, role }
      const { invite_token } = await inviteMember(
        as('Owner', second),
        form,
        commandLineActor,
        ports,
      )
      return invite_token ?? ''
    }
    const [ownerToken, viewerToken] = [
      await made(forOwner, 'Owner'),
      await made(forViewer, 'Viewer'),
    ]
    await changeRole(as('Owner'), second.id, 'Admin', commandLineActor, ports)
    await expect(accept(ownerToken, forOwner)).rejects.toMatchObject(notFound)
    expect(await pending()).toMatchObject([{ email: forViewer.email }])
    await removeMember(as('Owner'), second.id, commandLineActor, ports)
    await expect(accept(viewerToken, forViewer)).rejects.toMatchObject(notFound)
  })
})
