import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject } from './fields.ts'
import { limits } from './limits.ts'
import { traceFilters } from './traces.ts'

/*
 * Evaluating the traces that match filters, as a background job.
 */

/** The tag of traces that record the calls of judges. Their mode is `simulation`. */
export const judgeCallTag = 'evaluation'

const request = z.object({
  collection_id: id,
  model_config_id: id
    .nullish()
    .describe('required by a collection with a judge; its model needs a known price'),
  filters: traceFilters.default({}).describe('those of the list of traces'),
  max_traces: z
    .int()
    .min(1)
    .max(limits.bulkEvaluationTracesMax.value)
    .default(limits.bulkEvaluationTraces.value)
    .describe('the newest ones are evaluated'),
  max_cost_usd: z
    .number()
    .positive()
    .max(limits.bulkEvaluationUsdMax.value)
    .default(limits.bulkEvaluationUsd.value)
    .describe('no judge calls a model once the calls of this job have cost this much'),
})

export const bulkEvaluation = z
  .object({
    ...request.shape,
    model_config_id: id.nullable(),
    filters: traceFilters,
    max_traces: z.int(),
    max_cost_usd: z.number(),
    run_id: id.describe('of the run of each evaluated trace'),
    traces_evaluated: z.int(),
    traces_skipped: z.int().describe('removed before they were evaluated'),
    results_passed: z.int(),
    results_failed: z.int(),
    results_not_applicable: z.int(),
    results_not_scored: z.int().describe('with status `error`'),
    not_scored_reason: z
      .string()
      .nullable()
      .describe('the reasoning of the first result with status `error`'),
    cost_usd: z.number().describe('of the calls of judges'),
    ended_by: z
      .enum(['no_more_traces', 'max_traces', 'max_cost_usd'])
      .nullable()
      .describe('null until the job has completed'),
  })
  .meta({ id: 'BulkEvaluation' })
export type BulkEvaluation = z.output<typeof bulkEvaluation>

export const evaluateTraces = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/evaluations',
  tag: 'Evaluation',
  summary: 'Run a collection on the traces that match filters, newest first',
  description: `Starts a background job, at most one per project: \`/projects/{projectId}/jobs\` lists, returns and cancels it. Each evaluated trace has a run with the results. Traces that arrive later are not evaluated, nor those that record the calls of judges, unless \`filters.tag\` has \`${judgeCallTag}\`. \`max_cost_usd\` is ${limits.bulkEvaluationUsd.value} by default; calls under way when it is reached, at most ${limits.bulkEvaluationCalls.value}, still complete and count. A judge without calls left has a result with an error. The job fails when the model has failed for ${limits.bulkEvaluationModelFailures.value} traces in a row; its \`problem\` has the reason. Filters that match no trace are refused. Results that were stored before a cancellation are kept.`,
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(request),
  success: { status: 202, data: z.object({ id: id.describe('of the job') }) },
  errors: ['NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR 503'],
})
