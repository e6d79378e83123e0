import { hasPermission } from '@assay/contract/access.ts'
import { projectJobKind, projectJobKinds } from '@assay/contract/jobs.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { ClientFacts, ProjectCaller } from '../../accounts/caller.ts'
import { Failure } from '../../platform/failure.ts'
import type { Timestamp } from '../../storage/accounts/column-types.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'

/**
 * Cancels an active job of the project. Abort it in the runner afterwards. Throws NOT_FOUND, FORBIDDEN without the
 * permission for its kind, and CONFLICT when it has finished.
 */
export async function cancelJob(
  { projectId, organizationId, role, user }: ProjectCaller,
  jobId: string,
  client: ClientFacts,
  at: Timestamp,
  accounts: Accounts,
): Promise<JobRow> {
  return await accounts.transaction(async (stores) => {
    const job = await getJob(projectId, jobId, stores)
    const { cancel } = projectJobKinds[projectJobKind.parse(job.kind)]
    if (!hasPermission(role, cancel)) {
      throw new Failure('FORBIDDEN', 'Insufficient permissions.')
    }
    const canceled = await stores.jobs.cancel(projectId, jobId, at)
    if (canceled === undefined) {
      throw new Failure('CONFLICT', 'The job has already finished.')
    }
    await recordEvent(
      {
        action: 'job.cancelled',
        organizationId,
        targetId: jobId,
        details: { project_id: projectId, kind: job.kind },
      },
      userActor(user, client),
      at,
      stores,
    )
    return canceled
  })
}

/** Throws NOT_FOUND. */
export async function getJob(
  projectId: string,
  jobId: string,
  { jobs }: Pick<Accounts, 'jobs'>,
): Promise<JobRow> {
  const job = await jobs.find(projectId, jobId)
  if (job === undefined || !projectJobKind.safeParse(job.kind).success)
    throw new Failure('NOT_FOUND', 'Job not found.')
  return job
}
