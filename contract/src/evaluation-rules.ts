import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inProject,
  label,
  limitedList,
  pathId,
  removed,
  timestamp,
} from './fields.ts'
import { limits } from './limits.ts'
import { traceFilters } from './traces.ts'

/*
 * Rules that evaluate new traces automatically.
 */

/** Not those that a new trace cannot be compared with: times, scores, and what is searched for in its spans. */
export const ruleFilters = traceFilters
  .omit({
    ...{ q: true, attribute: true, not_attribute: true, from: true, to: true },
    ...{ has_score: true, score: true, min_score: true, max_score: true, passed: true },
  })
  .strict()
export type RuleFilters = z.output<typeof ruleFilters>

const sampleRate = z
  .number()
  .positive()
  .max(1)
  .describe('the share of matching traces to evaluate; the same traces at each attempt')
const maxCost = z
  .number()
  .positive()
  .max(limits.evaluationRuleUsdMax.value)
  .describe(
    'no judge calls a model for this rule once its calls of the day (UTC) have cost this much',
  )
const modelConfigId = id.describe(
  'required by a collection with a judge; its model needs a known price',
)

const ruleFields = z.object({
  name: label,
  is_enabled: z.boolean().default(true),
  filters: ruleFilters.default({}).describe('of the filters of the list of traces'),
  sample_rate: sampleRate.default(1),
  collection_id: id,
  model_config_id: modelConfigId.nullish(),
  max_cost_usd_per_day: maxCost.default(limits.evaluationRuleUsd.value),
})

export const ruleStatuses = ['active', 'disabled', 'stopped', 'daily_cost_reached'] as const

const ruleState = z.object({
  status: z
    .enum(ruleStatuses)
    .describe(
      '`stopped`: `problem` has the reason, and traces wait; `daily_cost_reached`: traces are skipped until the next day (UTC)',
    ),
  problem: z.string().nullable().describe('why it is stopped, and what to do'),
  since: timestamp.describe('traces that arrive from then on are evaluated'),
  checked_until: timestamp
    .nullable()
    .describe('traces that were complete by then were evaluated, skipped or do not match'),
  last_evaluated_at: timestamp.nullable(),
  evaluated_today: z.int().describe('traces, on this day in UTC'),
  evaluated_total: z.int(),
  skipped_today: z
    .int()
    .describe(
      'matching traces that were not evaluated: beyond the daily cost or the backlog, or because each attempt failed',
    ),
  skipped_total: z.int(),
  cost_usd_today: z.number().describe('of the calls of judges'),
  cost_usd_total: z.number(),
})

export const evaluationRule = z
  .object({
    ...{ id, project_id: id, name: z.string(), is_enabled: z.boolean() },
    filters: ruleFilters,
    sample_rate: sampleRate,
    collection_id: id,
    model_config_id: modelConfigId.nullable(),
    max_cost_usd_per_day: z.number(),
    state: ruleState,
    ...{ created_by: id.nullable(), created_at: timestamp, updated_at: timestamp },
  })
  .meta({ id: 'EvaluationRule' })
export type EvaluationRule = z.output<typeof evaluationRule>

const mayManage = ['run_agents', 'manage_agents'] as const

export const listEvaluationRules = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/evaluation-rules',
  tag: 'Evaluation',
  summary: 'List the rules that evaluate new traces, oldest first',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  success: { status: 200, data: limitedList(evaluationRule, 'evaluationRulesPerProject') },
})

export const createEvaluationRule = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/evaluation-rules',
  tag: 'Evaluation',
  summary: 'Evaluate new traces automatically',
  description: `Runs the collection on each new trace that matches the filters and is sampled, once, after it is complete: its root has ended, or ten minutes have passed without it, and no span has arrived for \`ASSAY_EVALUATION_DELAY_SECONDS\`. Traces that record the calls of judges are never evaluated. When more than ${limits.evaluationRuleBacklog.value} complete traces wait, the oldest are skipped and counted.`,
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'cheap',
  params: inProject,
  body: appBody(ruleFields),
  success: { status: 201, data: evaluationRule },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const inRule = inProject.extend({ ruleId: pathId })

export const updateEvaluationRule = endpoint({
  method: 'PATCH',
  path: '/projects/{projectId}/evaluation-rules/{ruleId}',
  tag: 'Evaluation',
  summary: 'Change an evaluation rule',
  description:
    'Members that are left out stay as they are. Changes apply to traces that are not decided yet. A rule that is enabled again evaluates the traces that arrive from then on.',
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'cheap',
  params: inRule,
  body: appBody(
    changeOf(
      z.object({
        name: label.optional(),
        is_enabled: z.boolean().optional(),
        filters: ruleFilters.optional(),
        sample_rate: sampleRate.optional(),
        collection_id: id.optional(),
        model_config_id: modelConfigId.nullable().optional(),
        max_cost_usd_per_day: maxCost.optional(),
      }),
    ),
  ),
  success: { status: 200, data: evaluationRule },
  errors: ['NOT_FOUND'],
})

export const removeEvaluationRule = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/evaluation-rules/{ruleId}',
  tag: 'Evaluation',
  summary: 'Delete an evaluation rule',
  description: 'Stored results remain.',
  access: { by: 'session', of: 'project', anyOf: mayManage },
  cost: 'cheap',
  params: inRule,
  success: removed,
  errors: ['NOT_FOUND'],
})
