import { canAssignRole, hasPermission, type Role, roles } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'

/*
 * The member rules of the service, checked in advance so that refused actions are not offered.
 */

export interface MemberContext {
  readonly ownUserId: string | undefined
  readonly ownRole: Role
  readonly members: readonly Pick<Member, 'user_id' | 'role'>[]
}

type Subject = MemberContext['members'][number]

/** Why a member can neither be changed nor removed; undefined if both are possible. */
export function memberDisabledReason(
  member: Subject,
  { ownRole, members }: MemberContext,
): string | undefined {
  if (!hasPermission(ownRole, 'manage_members')) return 'Only Owners and Admins can change roles.'
  if (member.role !== 'Owner') return undefined
  if (ownRole !== 'Owner') return 'Only an Owner can change an Owner.'
  const owners = members.filter(({ role }) => role === 'Owner').length
  return owners > 1 ? undefined : 'The last Owner cannot leave.'
}

/** Why a member cannot be assigned a role, as a short option label. */
export function roleDisabledReason(
  role: Role,
  member: Subject,
  { ownUserId, ownRole }: MemberContext,
): string | undefined {
  if (role === member.role) return undefined
  if (role === 'Owner' && member.user_id !== ownUserId) return 'by invite only'
  return canAssignRole(ownRole, role) ? undefined : 'above your own'
}

/** Every role, with the reason if it cannot be assigned by an invite. */
export function rolesToInviteTo(
  ownRole: Role,
): readonly { readonly role: Role; readonly disabledReason: string | undefined }[] {
  return roles.map((role) => ({
    role,
    disabledReason: canAssignRole(ownRole, role) ? undefined : 'above your own',
  }))
}
