import { hasPermission, type Role } from '@assay/contract/access.ts'
import { accessControl } from '../../accounts/access-control.ts'
import type { MemberCaller } from '../../accounts/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { OrganizationRow } from '../../storage/accounts/tables.ts'

/**
 * Until the transaction ends nobody else changes who is a member of the caller's organization. Gives the
 * organization and the caller's role as they are then, and throws FORBIDDEN when it no longer lets them manage members: of two Owners who demote
 * each other at the same time the second is none any more.
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
  const { role } = await accessControl(stores, clock).memberOf(caller, organizationId)
  if (organization === undefined || !hasPermission(role, 'manage_members')) {
    throw new Failure('FORBIDDEN', 'Insufficient permissions.')
  }
  return { role, organization }
}
