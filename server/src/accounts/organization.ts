import type { Role } from '@assay/contract/access.ts'
import type { Organization } from '@assay/contract/organizations.ts'
import { newId } from '../platform/ids.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { OrganizationWithSso } from '../storage/accounts/organization-store.ts'
import type { OrganizationRow } from '../storage/accounts/people-tables.ts'

export function newOrganization(name: string, slug: string, at: Timestamp): OrganizationRow {
  return {
    id: newId(),
    name,
    slug,
    data_residency_region: 'local',
    plan_tier: 'free',
    created_at: at,
  }
}

/** The organization with the role of the requesting member. */
export function toApiOrganization(organization: OrganizationWithSso, role: Role): Organization {
  const { id, name, slug, data_residency_region, plan_tier, sso_config_id, created_at } =
    organization
  return { id, name, slug, data_residency_region, plan_tier, sso_config_id, created_at, role }
}
