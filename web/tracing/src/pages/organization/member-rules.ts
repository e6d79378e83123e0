import { canAssignRole, hasPermission, type Role, roles } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'

/*
 * What the service would refuse about members, told before it is asked: nobody has to meet a refusal, or an
 * answer that looks like a fault.
 */

export interface MemberContext {
  readonly ownUserId: string | undefined
  readonly ownRole: Role
  readonly members: readonly Pick<Member, 'user_id' | 'role'>[]
}

type Subject = MemberContext['members'][number]

/** Why a member can be neither changed nor removed; undefined where both are possible. */
export function memberDisabledReason(
  member: Subject,
  { ownRole, members }: MemberContext,
): string | undefined {
  if (!hasPermission(ownRole, 'manage_members')) return 'Owners and Admins change roles.'
  if (member.role !== 'Owner') return undefined
  if (ownRole !== 'Owner') return 'Only an Owner changes an Owner.'
  const owners = members.filter(({ role }) => role === 'Owner').length
  return owners > 1 ? undefined : 'The only Owner stays.'
}

/** Why a member cannot be given a role, in a few words for a list of choices. */
export function roleDisabledReason(
  role: Role,
  member: Subject,
  { ownUserId, ownRole }: MemberContext,
): string | undefined {
  if (role === member.role) return undefined
  if (role === 'Owner' && member.user_id !== ownUserId) return 'only by an invite'
  return canAssignRole(ownRole, role) ? undefined : 'above your own'
}

/** The roles one may invite to, and those one may not with the reason. */
export function rolesToInviteTo(
  ownRole: Role,
): readonly { readonly role: Role; readonly disabledReason: string | undefined }[] {
  return roles.map((role) => ({
    role,
    disabledReason: canAssignRole(ownRole, role) ? undefined : 'above your own',
  }))
}
