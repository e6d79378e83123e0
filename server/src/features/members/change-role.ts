import { canAssignRole, hasPermission, type Role, roles } from '@assay/contract/access.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { Member } from '../../storage/accounts/membership-store.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { lockMembers } from './lock-members.ts'

export interface MemberPorts {
  readonly accounts: Accounts
  readonly clock: Clock
}

/** Returns the member with the new role. */
export async function changeRole(
  caller: MemberCaller,
  userId: string,
  role: Role,
  actor: Actor,
  { accounts, clock }: MemberPorts,
): Promise<Member> {
  const { organizationId } = caller
  const isSelf = userId === caller.user.id
  // Specification, "Input failures that surface as 500": making another person Owner, or an unknown member.
  if (role === 'Owner' && !isSelf) throw unexpected()
  return accounts.transaction(async (stores) => {
    const { role: ownRole } = await lockMembers(caller, stores, clock)
    const member = await stores.memberships.find(organizationId, userId)
    if (member === undefined) throw unexpected()
    if (!canAssignRole(ownRole, role))
      throw new Failure('FORBIDDEN', 'Only an Owner can assign the role Owner.')
    await mayChange(member, ownRole, role, organizationId, stores)
    await stores.memberships.setRole(organizationId, userId, role)
    const at = clock.now().toISOString()
    await revokeInvites(organizationId, userId, role, at, stores)
    await recordEvent(
      {
        action: 'member.role_changed',
        organizationId,
        targetId: userId,
        details: { email: member.email, from: member.role, to: role },
      },
      actor,
      at,
      stores,
    )
    return { ...member, role }
  })
}

/** Throws NOT_FOUND for a person who is not a member. */
export async function removeMember(
  caller: MemberCaller,
  userId: string,
  actor: Actor,
  { accounts, clock }: MemberPorts,
): Promise<void> {
  const { organizationId } = caller
  await accounts.transaction(async (stores) => {
    const { role: ownRole } = await lockMembers(caller, stores, clock)
    const member = await stores.memberships.find(organizationId, userId)
    if (member === undefined) throw new Failure('NOT_FOUND', 'Member not found.')
    await mayChange(member, ownRole, null, organizationId, stores)
    await stores.memberships.remove(organizationId, userId)
    const at = clock.now().toISOString()
    await revokeInvites(organizationId, userId, null, at, stores)
    await recordEvent(
      {
        action: 'member.removed',
        organizationId,
        targetId: userId,
        details: { email: member.email, role: member.role },
      },
      actor,
      at,
      stores,
    )
  })
}

/**
 * Throws FORBIDDEN when a caller other than an Owner changes an Owner, or when the last Owner would be
 * lost.
 */
async function mayChange(
  member: Member,
  ownRole: Role,
  to: Role | null,
  organizationId: string,
  { memberships }: AccountStores,
): Promise<void> {
  if (member.role !== 'Owner' || to === 'Owner') return
  if (ownRole !== 'Owner') throw new Failure('FORBIDDEN', 'Only an Owner can change an Owner.')
  if ((await memberships.countOwners(organizationId)) > 1) return
  throw new Failure('FORBIDDEN', 'An organization keeps at least one Owner.')
}

/** Revokes the pending invites that the person could no longer create. */
async function revokeInvites(
  organizationId: string,
  userId: string,
  to: Role | null,
  at: string,
  { invites }: AccountStores,
): Promise<void> {
  const given = roles.filter(
    (role) => to === null || !hasPermission(to, 'manage_members') || !canAssignRole(to, role),
  )
  if (given.length > 0) await invites.revokeByInviter(organizationId, userId, given, at)
}

const unexpected = () => new Failure('INTERNAL_ERROR', 'An unexpected error occurred.')
