import { canAssignRole, type Role, roles } from '@assay/contract/access.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines, openTestAccounts, type TestAccounts } from '../../../test/accounts-database.ts'
import { addMember, addTenant, addUser, type Tenant } from '../../../test/people.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import { systemClock } from '../../platform/clock.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'
import { changeRole, type MemberPorts, removeMember } from './change-role.ts'

let opened: TestAccounts
let ports: MemberPorts
let acme: Tenant

describe.each(engines)('the members of an organization on %s', (engine) => {
  beforeAll(async () => {
    opened = await openTestAccounts(engine)
    ports = { accounts: opened.accounts, clock: systemClock }
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    acme = await addTenant(opened.accounts)
  })

  /** The caller as read for the request, even if changed since. */
  const as = ({ id, email, name }: UserRow, role: Role): MemberCaller => ({
    user: { id, email, name, isSuperAdmin: false },
    sessionId: 'a session',
    expiresAt: new Date(),
    organizationId: acme.organizationId,
    role,
  })
  const setRole = (by: Role | UserRow, target: UserRow, role: Role) => {
    const user = typeof by === 'string' ? acme.members[by] : by
    const caller = as(user, typeof by === 'string' ? by : 'Owner')
    return changeRole(caller, target.id, role, commandLineActor, ports)
  }
  const remove = (by: Role, target: UserRow) =>
    removeMember(as(acme.members[by], by), target.id, commandLineActor, ports)
  const rolesNow = async () => {
    const members = await opened.accounts.memberships.list(acme.organizationId, { limit: 100 })
    return Object.fromEntries(members.map(({ user_id, role }) => [user_id, role]))
  }
  const another = async (role: Role) => {
    const user = await addUser(opened.accounts)
    await addMember(opened.accounts, acme.organizationId, user.id, role)
    return user
  }

  test.each(
    (['Owner', 'Admin'] as const).flatMap((by) =>
      roles.flatMap((from) => roles.map((to) => [by, from, to] as const)),
    ),
  )('%s makes another person who is %s %s', async (by, from, to) => {
    const target = await another(from)
    const outcome = setRole(by, target, to)
    if (to === 'Owner') {
      await expect(outcome).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 })
    } else if (canAssignRole(by, from)) {
      await expect(outcome).resolves.toMatchObject({ user_id: target.id, role: to })
    } else {
      await expect(outcome).rejects.toMatchObject({
        code: 'FORBIDDEN',
        message: 'Only an Owner can change an Owner.',
      })
    }
    const isDone = to !== 'Owner' && canAssignRole(by, from)
    expect((await rolesNow())[target.id]).toBe(isDone ? to : from)
  })

  test('an Admin cannot become Owner, and a removed member cannot get a role', async () => {
    const { Admin, Viewer } = acme.members
    await expect(setRole('Admin', Admin, 'Owner')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await remove('Admin', Viewer)
    await expect(setRole('Owner', Viewer, 'Editor')).rejects.toMatchObject({ status: 500 })
    await expect(remove('Owner', Viewer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const other = await addTenant(opened.accounts)
    await expect(setRole('Owner', other.members.Viewer, 'Editor')).rejects.toMatchObject({
      status: 500,
    })
    expect(
      await opened.accounts.memberships.find(other.organizationId, other.members.Viewer.id),
    ).toMatchObject({ role: 'Viewer' })
  })

  test('the last Owner can neither be demoted nor removed', async () => {
    const { Owner } = acme.members
    const refusal = { code: 'FORBIDDEN', message: 'An organization keeps at least one Owner.' }
    await expect(setRole('Owner', Owner, 'Admin')).rejects.toMatchObject(refusal)
    await expect(remove('Owner', Owner)).rejects.toMatchObject(refusal)
    await setRole('Owner', Owner, 'Owner')
    const second = await another('Owner')
    await setRole('Owner', Owner, 'Viewer')
    expect(await rolesNow()).toMatchObject({ [Owner.id]: 'Viewer', [second.id]: 'Owner' })
  })

  test('of two Owners who demote each other at the same time one remains', async () => {
    for (let round = 0; round < 5; round++) {
      acme = await addTenant(opened.accounts)
      const { Owner } = acme.members
      const second = await another('Owner')
      const outcomes = await Promise.allSettled([
        setRole(Owner, second, 'Viewer'),
        setRole(second, Owner, 'Viewer'),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await opened.accounts.memberships.countOwners(acme.organizationId)).toBe(1)
    }
  })

  test('of Owners who all leave at the same time one remains', async () => {
    const { Owner } = acme.members
    const all = [Owner, await another('Owner'), await another('Owner'), await another('Owner')]
    const outcomes = await Promise.allSettled(
      all.map((user) => removeMember(as(user, 'Owner'), user.id, commandLineActor, ports)),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await opened.accounts.memberships.countOwners(acme.organizationId)).toBe(1)
  })

  test('a person who is demoted or removed during their request changes nothing', async () => {
    const { Owner, Admin, Viewer } = acme.members
    await setRole(Owner, Admin, 'Editor')
    await expect(setRole('Admin', Viewer, 'Editor')).rejects.toMatchObject({
      message: 'Insufficient permissions.',
    })
    await removeMember(as(Owner, 'Owner'), Admin.id, commandLineActor, ports)
    await expect(remove('Admin', Viewer)).rejects.toMatchObject({
      message: 'You do not have access to this organization.',
    })
    expect((await rolesNow())[Viewer.id]).toBe('Viewer')
  })

  test('a change is in the audit log with the role before and after', async () => {
    const { Editor } = acme.members
    await setRole('Owner', Editor, 'Viewer')
    await remove('Owner', Editor)
    const lines = await opened.accounts.audit.list(acme.organizationId, { limit: 10 })
    expect(lines.map(({ action, target_id, details }) => [action, target_id, details])).toEqual([
      ['member.removed', Editor.id, JSON.stringify({ email: Editor.email, role: 'Viewer' })],
      [
        'member.role_changed',
        Editor.id,
        JSON.stringify({ email: Editor.email, from: 'Editor', to: 'Viewer' }),
      ],
    ])
  })
})
