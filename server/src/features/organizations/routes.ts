import {
  createProject as createProjectEndpoint,
  listOrganizations,
  listProjects,
  type Organization,
} from '@assay/contract/organizations.ts'
import { personAt } from '../../accounts/audit.ts'
import type { SignedIn } from '../../accounts/caller.ts'
import { shownOrganization } from '../../accounts/organization.ts'
import { shownProject } from '../../accounts/project.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { createProject } from './create-project.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerOrganizations({ bind, accounts, clock }: Ports): void {
  bind(listOrganizations, async ({ caller }) => {
    const organizations = await visibleTo(caller, accounts)
    return organizations.sort(byName)
  })

  bind(listProjects, async ({ caller }) => {
    const projects = await accounts.projects.ofOrganization(caller.organizationId)
    return projects.map(shownProject).sort(byName)
  })

  bind(createProjectEndpoint, async ({ caller, client, body }) => {
    const at = clock.now().toISOString()
    const author = personAt(caller.user, client)
    const wanted = { name: body.name, slug: body.slug }
    const { organizationId } = caller
    const { row, legacyKey } = await createProject(organizationId, wanted, author, at, accounts)
    return { ...shownProject(row), legacy_tracing_key: legacyKey }
  })
}

/** All organizations, as their Owner, for a super admin. */
async function visibleTo(
  { user }: SignedIn,
  { organizations }: Pick<AccountStores, 'organizations'>,
): Promise<Organization[]> {
  if (user.isSuperAdmin) {
    const all = await organizations.list()
    return all.map((organization) => shownOrganization(organization, 'Owner'))
  }
  const own = await organizations.ofMember(user.id)
  return own.map((organization) => shownOrganization(organization, organization.role))
}

const words = new Intl.Collator('en', { numeric: true })

/** In the order of a dictionary, whatever the database would do; by slug where names are the same. */
function byName(one: Named, other: Named): number {
  return words.compare(one.name, other.name) || words.compare(one.slug, other.slug)
}

interface Named {
  readonly name: string
  readonly slug: string
}
