import {
  cancelJob as cancelJobEndpoint,
  type Job,
  listJobs,
  type ProjectJobKind,
  readJob,
} from '@assay/contract/jobs.ts'
import { cancelJob, getJob } from '../../accounts/cancel-job.ts'
import type { Bind } from '../../http/call.ts'
import type { JobProgress } from '../../jobs/job-row.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { JobRow } from '../../storage/accounts/tables.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly runner: Pick<JobRunner, 'abort'>
  readonly clock: Clock
}

export function registerJobs({ bind, accounts, runner, clock }: Ports): void {
  bind(listJobs, async ({ caller: { projectId }, query }) => {
    const { cursor: before, limit, kind, state } = query
    // One more than requested shows whether there is a next page.
    const rows = await accounts.jobs.ofProject(projectId, { limit: limit + 1, before, kind, state })
    const data = rows.slice(0, limit).map(toApiJob)
    const last = rows.length > limit ? data.at(-1) : undefined
    return { data, meta: { pageSize: data.length, cursor: last?.id ?? null } }
  })

  bind(readJob, async ({ caller: { projectId }, params: { jobId } }) =>
    toApiJob(await getJob(projectId, jobId, accounts)),
  )

  bind(cancelJobEndpoint, async ({ caller, client, params: { jobId } }) => {
    const row = await cancelJob(caller, jobId, client, clock.now().toISOString(), accounts)
    runner.abort(jobId)
    return toApiJob(row)
  })
}

function toApiJob(row: JobRow): Job {
  const { done, total } = JSON.parse(row.progress) as JobProgress
  return {
    id: row.id,
    kind: row.kind as ProjectJobKind,
    state: row.state,
    progress: { done, total },
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    problem: row.problem,
    created_by: row.created_by,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  }
}
