import { hasPermission, type Role } from '@assay/contract/access.ts'
import { accessControl } from '../../accounts/access-control.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { OrganizationRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/**
 * Locks the members of the caller's organization for the transaction. Returns the organization and the caller's current
 * role, and throws FORBIDDEN when it no longer has `manage_members`: of two Owners who demote each other at the same
 * time, the second fails.
 */
export async function lockMembers(
  { user, sessionId, expiresAt, organizationId }: MemberCaller,
  stores: AccountStores,
  clock: Clock,
): Promise<{ role: Role; organization: OrganizationRow }> {
  const organization = await stores.organizations.lock(organizationId)
  const account = await stores.users.find(user.id)
  const isSuperAdmin = account?.is_super_admin === 1
  const caller = { user: { ...user, isSuperAdmin }, sessionId, expiresAt }
  const { role } = await accessControl(stores, clock).getMemberCaller(caller, organizationId)
  if (organization === undefined || !hasPermission(role, 'manage_members')) {
    throw new Failure('FORBIDDEN', 'Insufficient permissions.')
  }
  return { role, organization }
}
