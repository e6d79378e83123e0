import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { DefinedJob } from '../src/jobs/define-job.ts'
import type { JobRunner, RunnerPorts } from '../src/jobs/runner.ts'
import { type Accounts, openAccounts } from '../src/storage/accounts/connect.ts'
import type { JobRow } from '../src/storage/accounts/service-tables.ts'
import { type Engine, openTestAccounts, silent, type TestAccounts } from './accounts-database.ts'
import { eventually } from './eventually.ts'
import { jobRow } from './job-rows.ts'
import { openTestClock, openTestRunner, type TestClock } from './job-runners.ts'
import { addTenant, type Tenant } from './people.ts'

/*
 * What the suites of the job runner share: one database per suite; a clock and a project per test.
 */

export interface JobSuite {
  readonly accounts: Accounts
  readonly clock: TestClock
  /** Of the jobs that `insert` adds. */
  readonly projectId: string
  /** Runs a statement that bypasses the code under test. */
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  openRunner(job: DefinedJob, more?: Partial<RunnerPorts>): JobRunner
  /** The connections of another process to the same database. */
  openOtherProcess(): Promise<Accounts>
  insert(input?: object, rest?: Partial<JobRow>): Promise<JobRow>
  read(row: JobRow): Promise<JobRow>
  /** Waits until the job is in the state. */
  inState(row: JobRow, state: JobRow['state']): Promise<JobRow>
}

/** Registers the hooks of the surrounding `describe`. */
export function jobSuite(engine: Engine): JobSuite {
  let opened: TestAccounts
  let clock: TestClock
  let tenant: Tenant

  beforeAll(async () => {
    opened = await openTestAccounts(engine)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    clock = openTestClock()
    tenant = await addTenant(opened.accounts)
  })

  const read = async ({ id, project_id }: JobRow) => {
    const row = await opened.accounts.jobs.find(project_id ?? '', id)
    if (row === undefined) throw new Error('the job is not there')
    return row
  }
  return {
    get accounts() {
      return opened.accounts
    },
    get clock() {
      return clock
    },
    get projectId() {
      return tenant.projectId
    },
    query: (statement) => opened.query(statement),
    openRunner: (job, more) => openTestRunner(opened.accounts, clock, job, more),
    openOtherProcess: () => openAccounts(opened.location, silent),
    async insert(input = {}, rest = {}) {
      const own = { project_id: tenant.projectId, organization_id: tenant.organizationId }
      const row = jobRow({ ...own, input: JSON.stringify(input), ...rest })
      await opened.accounts.jobs.insert(row)
      return row
    },
    read,
    inState: (row, state) =>
      eventually(async () => {
        const current = await read(row)
        expect(current.state).toBe(state)
        return current
      }),
  }
}
