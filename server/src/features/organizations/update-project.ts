import type { Input } from '@assay/contract/endpoint.ts'
import type { updateProject as updateProjectEndpoint } from '@assay/contract/organizations.ts'
import { type Actor, recordEvent } from '../../accounts/audit.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import { projectNotFound } from '../../platform/failure.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ProjectRow } from '../../storage/accounts/people-tables.ts'

type Change = Input<typeof updateProjectEndpoint>['body']

/** Throws PROJECT_NOT_FOUND if it was removed in the meantime. */
export function updateProject(
  { projectId }: ProjectCaller,
  { name, retention_days, encrypted_history }: Change,
  actor: Actor,
  at: Timestamp,
  accounts: Accounts,
): Promise<ProjectRow> {
  return accounts.transaction(async (stores) => {
    const project = await stores.projects.update(projectId, {
      ...(name !== undefined && { name }),
      ...(retention_days !== undefined && { retention_days }),
      ...(encrypted_history !== undefined && { encrypted_history }),
    })
    if (project === undefined) throw projectNotFound()
    await recordEvent(
      {
        action: 'project.updated',
        organizationId: project.organization_id,
        targetId: projectId,
        details: {
          name: project.name,
          retention_days: project.retention_days,
          encrypted_history: project.encrypted_history,
        },
      },
      actor,
      at,
      stores,
    )
    return project
  })
}
