import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { expect, test } from 'vitest'
import { findJobOfRun } from './find-job-of-run.ts'

test('an evaluation of many traces is found by the run of one of its traces', () => {
  const jobs = [
    { id: 'other', details: { run_id: 'x' } },
    { id: 'j', details: { run_id: 'r' } },
  ] as EvaluationJob[]
  expect(findJobOfRun(jobs, 'r')?.id).toBe('j')
  expect(findJobOfRun(jobs, 'unknown')).toBeUndefined()
  expect(findJobOfRun(undefined, 'r')).toBeUndefined()
})
