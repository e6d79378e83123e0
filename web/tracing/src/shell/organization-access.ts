import { type Permission, permissionHolders } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'

/** An organization with what the person may do in it. */
export interface OrganizationAccess {
  readonly organization: Organization
  /** Whether the person's role holds the permission. */
  readonly can: (permission: Permission) => boolean
}

/** The roles that hold a permission: `Owners and Admins`. */
export function formatHolders(permission: Permission): string {
  const roles = permissionHolders[permission].map((role) => `${role}s`)
  return new Intl.ListFormat('en').format(roles)
}
