import { z } from 'zod'
import { newJobRow } from '../jobs/job-row.ts'
import { Failure } from '../platform/failure.ts'
import type { Timestamp } from '../storage/accounts/column-types.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import { type Actor, recordEvent } from './audit.ts'

/** The job that removes conversations and telemetry. It belongs to no project: the jobs of a project are removed with it. */
export const projectRemovalKind = {
  kind: 'project_removal',
  input: z.object({ projectId: z.string() }),
}

/**
 * Removes the project with its keys, and queues the removal of its conversations and telemetry. Wake the job runner afterwards. `confirm`
 * must be its slug, or it throws VALIDATION_ERROR.
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
      throw new Failure('VALIDATION_ERROR', "confirm must be the project's slug")
    }
    await stores.jobs.insert(newJobRow(projectRemovalKind, { input: { projectId } }, at))
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
