import {
  cancelJob as cancelJobEndpoint,
  type Job,
  listJobs,
  type ProjectJobKind,
  projectJobKind,
  readJob,
} from '@assay/contract/jobs.ts'
import type { Bind } from '../../http/call.ts'
import type { JobProgress } from '../../jobs/job-row.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'
import { cancelJob, getJob } from './cancel-job.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly runner: Pick<JobRunner, 'abort'>
  readonly clock: Clock
  /** What a job reports besides the members that all jobs have, by kind. */
  readonly toDetails: {
    readonly [Kind in ProjectJobKind]: (row: JobRow) => Extract<Job, { kind: Kind }>['details']
  }
}

export function registerJobs({ bind, accounts, runner, clock, toDetails }: Ports): void {
  const toApiJob = (row: JobRow): Job => {
    const kind = projectJobKind.parse(row.kind)
    const { done, total } = JSON.parse(row.progress) as JobProgress
    const ofKind =
      kind === 'repricing'
        ? { kind, details: toDetails[kind](row) }
        : { kind, details: toDetails[kind](row) }
    return {
      ...ofKind,
      id: row.id,
      state: row.state,
      progress: { done, total },
      problem: row.problem,
      created_by: row.created_by,
      created_at: row.created_at,
      started_at: row.started_at,
      finished_at: row.finished_at,
    }
  }

  bind(listJobs, async ({ caller: { projectId }, query }) => {
    const { cursor: before, limit, kind, state } = query
    const kinds = kind === undefined ? projectJobKind.options : [kind]
    // One more than requested shows whether there is a next page.
    const rows = await accounts.jobs.list(projectId, { limit: limit + 1, before, kinds, state })
    const data = rows.slice(0, limit).map(toApiJob)
    const last = rows.length > limit ? data.at(-1) : undefined
    return { data, meta: { pageSize: data.length, cursor: last?.id ?? null } }
  })

  bind(readJob, async ({ caller: { projectId }, params: { jobId } }) =>
    toApiJob(await getJob(projectId, jobId, accounts)),
  )

  bind(cancelJobEndpoint, async ({ caller, client, params: { jobId } }) => {
    const row = await cancelJob(caller, jobId, client, clock.now().toISOString(), accounts)
    runner.abort(caller.projectId, jobId)
    return toApiJob(row)
  })
}
