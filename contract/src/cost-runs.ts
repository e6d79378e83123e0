import { z } from 'zod'
import { completeAgentConfig } from './agent-config.ts'
import { costEstimate } from './cost-calculator.ts'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  inProject,
  limitedList,
  pageMeta,
  pageQuery,
  pathId,
  removed,
  timestamp,
} from './fields.ts'
import {
  conversationPlan,
  scenarioCategories,
  scenarioGenerators,
  scenarioName,
  scenarioSummary,
  scenarioTurns,
} from './scenarios.ts'

/*
 * Runs of the cost calculator: an agent, its scenarios, and the results of executing them with several models.
 */

export const costRunStatuses = ['draft', 'running', 'completed', 'partial', 'failed'] as const
export type CostRunStatus = (typeof costRunStatuses)[number]

export const runStops = [
  ...(['canceled', 'cost_limit', 'time_limit', 'disconnected'] as const),
  ...(['service_stopped', 'model_failed', 'error'] as const),
] as const
/** Why a run stopped early. */
export type RunStop = (typeof runStops)[number]

export const runResultStatuses = ['completed', 'limit_reached', 'failed'] as const
export type RunResultStatus = (typeof runResultStatuses)[number]

const usd = z.number().nullable()

export const runResult = z
  .object({
    scenario_id: id,
    model_config_id: id,
    trace_id: z.string().nullable().describe('of the recorded conversation, mode `simulation`'),
    status: z
      .enum(runResultStatuses)
      .describe('`limit_reached`: the conversation had as many turns, calls or tokens as allowed'),
    turns: z.int(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    cost_usd: usd.describe('of the calls of the agent; null if a price is unknown'),
    latency_ms: z.number(),
    score: z.number().nullable().describe('by the collection; null without one'),
    error: z.string().nullable(),
  })
  .meta({ id: 'RunResult' })
export type RunResult = z.output<typeof runResult>

export const modelSummary = z
  .object({
    model_config_id: id,
    cost_usd: usd.describe('of the agent, all results; null if a price is unknown'),
    latency_ms_p50: z.number().nullable().describe('of results that did not fail'),
    latency_ms_p90: z.number().nullable(),
    mean_score: z.number().nullable(),
    score_low: z.number().nullable().describe('the 95% interval of the mean; null below 2 scores'),
    score_high: z.number().nullable(),
  })
  .meta({ id: 'ModelSummary' })
export type ModelSummary = z.output<typeof modelSummary>

/** How a run was last executed. */
const execution = z.object({
  model_config_ids: limitedList(id, 'modelsPerRun'),
  collection_id: id.nullable(),
  max_cost_usd: z.number().nullable(),
  concurrency: z.int(),
})
export type RunExecution = z.output<typeof execution>

/** Apart, because only the first is a cost of the agent in production. */
const bills = z.object({
  agent: z.number(),
  simulated_user: z.number(),
  simulated_tools: z.number(),
  judge: z.number(),
})
export type RunBills = z.output<typeof bills>

const runFields = {
  ...{ id, project_id: id },
  status: z
    .enum(costRunStatuses)
    .describe('`draft`: never executed. `partial`: stopped before all scenarios were executed'),
  generator: z
    .enum(scenarioGenerators)
    .describe('what wrote the scenarios: `offline` needs no model'),
  scenario_count: z.int().describe('as requested; more than `scenarios` if generation was stopped'),
  stopped_by: z
    .enum(runStops)
    .nullable()
    .describe(
      'why the last execution or generation stopped early; null if it did not. `disconnected`: the connection of whoever started it was closed. `service_stopped`: also if it was killed. `model_failed`: every call that writes scenarios failed. `error`: of the service, which has it in its log',
    ),
  is_generating: z.boolean().describe('whether its scenarios are being written'),
  execution: execution.nullable().describe('the last; null if never executed'),
  cost_usd: bills.describe('spent on all executions, repeated ones included, with known prices'),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
}

export const costRun = z
  .object({
    ...runFields,
    agent_config: completeAgentConfig,
    estimate: costEstimate,
    scenarios: limitedList(scenarioSummary, 'scenariosPerRun'),
    results: limitedList(runResult, 'resultsPerRun'),
    summaries: limitedList(modelSummary, 'modelsPerRun'),
    notices: limitedList(z.string(), 'costRunNotices'),
    max_cost_usd: z.number().nullable().describe('of the last execution'),
  })
  .meta({ id: 'CostRun' })
export type CostRun = z.output<typeof costRun>

export const costRunSummary = z
  .object({
    ...runFields,
    agent_excerpt: z.string().describe('the beginning of the system prompt'),
  })
  .meta({ id: 'CostRunSummary' })
export type CostRunSummary = z.output<typeof costRunSummary>

const mayRun = ['run_agents', 'manage_agents'] as const

export const inRun = inProject.extend({ runId: pathId })

export const readCostRun = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}',
  tag: 'Cost calculator',
  summary: 'A run with its scenarios, results and summaries',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inRun,
  success: { status: 200, data: costRun },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const listCostRuns = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/cost-calculator/runs',
  tag: 'Cost calculator',
  summary: 'List the runs of a project, newest first',
  access: { by: 'session', of: 'project' },
  cost: 'cheap',
  params: inProject,
  query: pageQuery,
  success: { status: 200, data: z.array(costRunSummary), meta: pageMeta },
})

export const updateScenario = endpoint({
  method: 'PATCH',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/scenarios/{scenarioId}',
  tag: 'Cost calculator',
  summary: 'Edit a scenario',
  description:
    'Members that are left out stay as they are. The results of the scenario are removed, because they are of the earlier one.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'cheap',
  params: inRun.extend({ scenarioId: pathId }),
  body: appBody(
    changeOf(
      z.object({
        name: scenarioName.optional(),
        category: z.enum(scenarioCategories).optional(),
        conversation_plan: conversationPlan.optional(),
        turns: scenarioTurns.optional(),
      }),
    ),
  ),
  success: { status: 200, data: scenarioSummary },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeCostRun = endpoint({
  method: 'DELETE',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}',
  tag: 'Cost calculator',
  summary: 'Delete a run with its scenarios and results',
  description: 'The recorded traces remain. A run that is in progress is `CONFLICT`.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'cheap',
  params: inRun,
  success: removed,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const cancelCostRun = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/cancel',
  tag: 'Cost calculator',
  summary: 'Cancel an execution or a generation, whoever has started it',
  description:
    'It ends within 2 seconds, and whoever has started it gets the run as it is then. Finished conversations and written scenarios are kept; an execution is `partial`. Repeating the request changes nothing. A run that is not in progress is `CONFLICT`.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'cheap',
  params: inRun,
  success: { status: 200, data: costRunSummary },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
