import { type Permission, permissionHolders } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'

/** An organization with the person's permissions in it. */
export interface OrganizationAccess {
  readonly organization: Organization
  /** Whether the person's role has the permission. */
  readonly can: (permission: Permission) => boolean
}

/** The roles with a permission: `Owners and Admins`. */
export function formatHolders(permission: Permission): string {
  const roles = permissionHolders[permission].map((role) => `${role}s`)
  return new Intl.ListFormat('en').format(roles)
}
