import type { EvaluationJob } from '@assay/contract/jobs.ts'

/** The job that a run of a trace belongs to. */
export function findJobOfRun(
  jobs: readonly EvaluationJob[] | undefined,
  runId: string,
): EvaluationJob | undefined {
  return jobs?.find(({ details }) => details.run_id === runId)
}
