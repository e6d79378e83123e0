import {
  createOrganization as createOrganizationEndpoint,
  createProject as createProjectEndpoint,
  listOrganizations,
  listProjects,
  type Organization,
  removeProject as removeProjectEndpoint,
  updateOrganization,
  updateProject as updateProjectEndpoint,
} from '@assay/contract/organizations.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { SignedIn } from '../../accounts/caller.ts'
import { createProject } from '../../accounts/create-project.ts'
import { toApiOrganization } from '../../accounts/organization.ts'
import { toApiProject } from '../../accounts/project.ts'
import { removeProject } from '../../accounts/remove-project.ts'
import type { Bind } from '../../http/call.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { createOrganization } from './create-organization.ts'
import { updateProject } from './update-project.ts'

interface Ports {
  readonly bind: Bind
  readonly runner: Pick<JobRunner, 'wake'>
  readonly accounts: Accounts
  readonly clock: Clock
}

export function registerOrganizations({ bind, accounts, clock, runner }: Ports): void {
  const now = () => clock.now().toISOString()

  bind(listOrganizations, async ({ caller }) => {
    const organizations = await visibleTo(caller, accounts)
    return organizations.sort(byName)
  })

  bind(createOrganizationEndpoint, async ({ caller, client, body }) => {
    const actor = userActor(caller.user, client)
    const row = await createOrganization(body, caller.user.id, actor, now(), accounts)
    return toApiOrganization({ ...row, sso_config_id: null }, 'Owner')
  })

  bind(updateOrganization, async ({ caller, client, body: { name } }) =>
    accounts.transaction(async (stores) => {
      const { organizationId } = caller
      await stores.organizations.rename(organizationId, name)
      const renamed = await stores.organizations.find(organizationId)
      if (renamed === undefined) throw new Error('the organization of a member does not exist')
      await recordEvent(
        {
          action: 'organization.renamed',
          organizationId,
          targetId: organizationId,
          details: { name },
        },
        userActor(caller.user, client),
        now(),
        stores,
      )
      return toApiOrganization(renamed, caller.role)
    }),
  )
  registerProjects({ bind, accounts, clock, runner })
}

function registerProjects({ bind, accounts, clock, runner }: Ports): void {
  const now = () => clock.now().toISOString()

  bind(listProjects, async ({ caller }) => {
    const projects = await accounts.projects.list(caller.organizationId)
    return projects.map(toApiProject).sort(byName)
  })

  bind(createProjectEndpoint, async ({ caller, client, body }) => {
    const actor = userActor(caller.user, client)
    const input = { name: body.name, slug: body.slug }
    const { organizationId } = caller
    const { row, legacyKey } = await createProject(organizationId, input, actor, now(), accounts)
    return { ...toApiProject(row), legacy_tracing_key: legacyKey }
  })

  bind(updateProjectEndpoint, async ({ caller, client, body }) => {
    const actor = userActor(caller.user, client)
    return toApiProject(await updateProject(caller, body, actor, now(), accounts))
  })

  bind(removeProjectEndpoint, async ({ caller, client, body }) => {
    const actor = userActor(caller.user, client)
    await removeProject(caller.projectId, body.confirm, actor, now(), accounts)
    runner.wake()
    return { status: 'removed' as const }
  })
}

/** For a super admin, all organizations as their Owner. */
async function visibleTo(
  { user }: SignedIn,
  { organizations }: Pick<AccountStores, 'organizations'>,
): Promise<Organization[]> {
  if (user.isSuperAdmin) {
    const all = await organizations.list()
    return all.map((organization) => toApiOrganization(organization, 'Owner'))
  }
  const own = await organizations.listByMember(user.id)
  return own.map((organization) => toApiOrganization(organization, organization.role))
}

const collator = new Intl.Collator('en', { numeric: true })

/** In dictionary order, independent of the database's collation; equal names by slug. */
function byName(one: Named, other: Named): number {
  return collator.compare(one.name, other.name) || collator.compare(one.slug, other.slug)
}

interface Named {
  readonly name: string
  readonly slug: string
}
