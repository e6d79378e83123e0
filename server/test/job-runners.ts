import { z } from 'zod'
import {
  type DefinedJob,
  defineJob,
  type JobDefinition,
  type StepInput,
} from '../src/jobs/define-job.ts'
import type { JobProgress } from '../src/jobs/job-row.ts'
import { openJobRunner, type RunnerPorts } from '../src/jobs/runner.ts'
import type { Accounts } from '../src/storage/accounts/connect.ts'
import type { JobRow } from '../src/storage/accounts/service-tables.ts'
import { silent } from './accounts-database.ts'

/*
 * Job runners on a clock controlled by the test, and jobs that count.
 */

export function openTestClock() {
  let now = Date.UTC(2026, 0, 2)
  return {
    advance(ms: number) {
      now += ms
    },
    now: () => Promise.resolve(new Date(now).toISOString()),
  }
}

export type TestClock = ReturnType<typeof openTestClock>

export function openTestRunner(
  accounts: Accounts,
  clock: TestClock,
  job: DefinedJob,
  more: Partial<RunnerPorts> = {},
) {
  const { jobs } = accounts
  const { notifications } = accounts
  return openJobRunner({
    ...{ accounts: { jobs, clock }, notifications },
    ...{ jobs: [job], log: silent, ...more },
  })
}

export interface CountProgress extends JobProgress {
  /** All stored steps. */
  readonly steps: readonly number[]
}

const countKind = { kind: 'count', input: z.object({ steps: z.int().default(3) }) }
type CountInput = z.output<typeof countKind.input>

interface CountOptions extends Partial<JobDefinition<CountInput, number, CountProgress>> {
  /** Runs as part of each step. */
  readonly during?: (step: number, job: StepInput<CountInput, CountProgress>) => unknown
}

/** Counts to `steps`, one at a time, without pauses. */
export function countJob({ during, ...rest }: CountOptions = {}): DefinedJob {
  return defineJob<CountInput, number, CountProgress>({
    ...countKind,
    share: 1,
    async step(job, position = 0) {
      const { input, progress } = job
      await during?.(position, job)
      const steps = [...(progress.steps ?? []), position]
      const next = { done: steps.length, total: input.steps, steps }
      return next.done >= input.steps
        ? { isDone: true, progress: next }
        : { position: position + 1, progress: next }
    },
    ...rest,
  })
}

/** Waiters continue when it is opened, or reject. */
export function openGate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Without waiters, its rejection is not an error.
  promise.catch(() => undefined)
  return { passed: promise, open: () => resolve(), fail: (error: Error) => reject(error) }
}

export function parseProgress(row: JobRow | undefined): CountProgress {
  if (row === undefined) throw new Error('no such job')
  return JSON.parse(row.progress) as CountProgress
}
