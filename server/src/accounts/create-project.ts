import { limits } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { type Actor, recordEvent } from './audit.ts'
import { checkListLimit } from './list-limit.ts'
import { type NewProject, newProject, projectCreated } from './project.ts'
import { freeSlug, toSlug } from './slug.ts'

interface ProjectInput {
  readonly name: string
  /** Undefined: derived from the name, with a number when it is taken. */
  readonly slug: string | undefined
}

/**
 * Throws CONFLICT when the requested slug is taken in the organization, or the organization has as many projects as
 * it can have.
 */
export function createProject(
  organizationId: string,
  input: ProjectInput,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<NewProject> {
  return accounts.transaction(async (stores) => {
    await stores.organizations.lock(organizationId)
    const count = await stores.projects.count(organizationId)
    checkListLimit(count, limits.projectsPerOrganization, 'An organization', 'Delete one first.')
    const project = await insertedProject(organizationId, input, at, stores)
    await recordEvent(projectCreated(project.row), actor, at, stores)
    return project
  })
}

async function insertedProject(
  organizationId: string,
  { name, slug }: ProjectInput,
  at: Timestamp,
  { projects }: Pick<AccountStores, 'projects'>,
): Promise<NewProject> {
  if (slug !== undefined) {
    const project = newProject(organizationId, name, slug, at)
    if (await projects.insert(project.row)) return project
    throw new Failure('CONFLICT', `slug "${slug}" is taken by another project`)
  }
  // Retried when a concurrent insert took the slug; one of them always succeeds.
  for (;;) {
    const others = await projects.list(organizationId)
    const free = freeSlug(toSlug(name, 'project'), new Set(others.map((other) => other.slug)))
    const project = newProject(organizationId, name, free, at)
    if (await projects.insert(project.row)) return project
  }
}
