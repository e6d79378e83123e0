import { z } from 'zod'
import type { DefinedJob } from '../src/jobs/define-job.ts'
import { newJobRow } from '../src/jobs/job-row.ts'
import type { JobRow } from '../src/storage/accounts/service-tables.ts'

/** A queued job of a test. */
export function jobRow(rest: Partial<JobRow> = {}): JobRow {
  const at = '2026-01-01T00:00:00.000Z'
  return { ...newJobRow({ kind: 'count', input: z.unknown() }, { input: {} }, at), ...rest }
}

/** Runs all steps of a job, without a runner. Returns its row as the next run of a kind that repeats finds it. */
export async function doSteps(job: DefinedJob, first = jobRow()): Promise<JobRow> {
  const { signal } = new AbortController()
  let row = first
  for (;;) {
    const outcome = await job.step(row, signal)
    if ('isDone' in outcome) {
      return { ...row, position: null, progress: JSON.stringify(outcome.progress) }
    }
    const { position, progress } = outcome
    row = { ...row, position: JSON.stringify(position), progress: JSON.stringify(progress) }
  }
}
