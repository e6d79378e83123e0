import { hasPermission } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'

/** Whether the person's role in the organization lets them create projects there. */
export function canCreateProject({ role }: Organization): boolean {
  return hasPermission(role, 'manage_org_settings') || hasPermission(role, 'manage_members')
}
