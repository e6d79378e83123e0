import type { Input } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { createOrganization as createOrganizationEndpoint } from '@assay/contract/organizations.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import { newOrganization } from '../../accounts/organization.ts'
import { freeSlug, toSlug } from '../../accounts/slug.ts'
import { Failure } from '../../platform/failure.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { OrganizationRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

type OrganizationInput = Input<typeof createOrganizationEndpoint>['body']

/**
 * Creates an organization with the caller as its first Owner. Throws CONFLICT if the requested slug is
 * taken, or the service has as many organizations as it can have.
 */
export function createOrganization(
  input: OrganizationInput,
  ownerId: string,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<OrganizationRow> {
  return accounts.transaction(async (stores) => {
    await stores.installation.lock()
    const count = await stores.organizations.count()
    const advice = 'Create a project in an existing organization instead.'
    checkListLimit(count, limits.organizations, 'The service', advice)
    const organization = await inserted(input, at, stores)
    const { id, name, slug } = organization
    await stores.memberships.insert({
      organization_id: id,
      user_id: ownerId,
      role: 'Owner',
      joined_at: at,
    })
    const details = { name, slug }
    await recordEvent(
      { action: 'organization.created', organizationId: id, targetId: id, details },
      actor,
      at,
      stores,
    )
    return organization
  })
}

async function inserted(
  { name, slug, data_residency_region }: OrganizationInput,
  at: Timestamp,
  { organizations }: Pick<AccountStores, 'organizations'>,
): Promise<OrganizationRow> {
  const withSlug = (own: string) => ({ ...newOrganization(name, own, at), data_residency_region })
  if (slug !== undefined) {
    const organization = withSlug(slug)
    if (await organizations.insert(organization)) return organization
    throw new Failure('CONFLICT', `slug "${slug}" is taken by another organization`)
  }
  // Retried when a concurrent insert took the slug; one of them always succeeds.
  for (;;) {
    const others = await organizations.list()
    const taken = new Set(others.map((other) => other.slug))
    const organization = withSlug(freeSlug(toSlug(name, 'organization'), taken))
    if (await organizations.insert(organization)) return organization
  }
}
