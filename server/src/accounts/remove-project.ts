import { Failure } from '../platform/failure.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import type { Timestamp } from '../storage/accounts/tables.ts'
import { type Actor, recordEvent } from './audit.ts'

/**
 * Removes the project with its keys, at once and for everybody, and notes that its telemetry is still to go
 * (`RemovedProjects`). `confirm` must be its slug, or it throws VALIDATION_ERROR.
 */
export async function removeProject(
  projectId: string,
  confirm: string,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<void> {
  await accounts.transaction(async (stores) => {
    const project = await stores.projects.remove(projectId, confirm)
    if (project === undefined) {
      throw new Failure('VALIDATION_ERROR', "confirm: must be the project's slug")
    }
    await stores.removedProjects.insert({ project_id: projectId, removed_at: at })
    const { organization_id, name, slug } = project
    await recordEvent(
      {
        action: 'project.removed',
        organizationId: organization_id,
        targetId: projectId,
        details: { name, slug },
      },
      actor,
      at,
      stores,
    )
  })
}
