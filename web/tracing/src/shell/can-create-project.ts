import { hasPermission } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'

/** Whether the role of the person in the organization allows creating projects. */
export function canCreateProject({ role }: Organization): boolean {
  return hasPermission(role, 'manage_org_settings') || hasPermission(role, 'manage_members')
}
