import { z } from 'zod'
import { costRun, inRun, runResult } from './cost-runs.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id } from './fields.ts'
import { limits } from './limits.ts'
import { errorEvent, progressEvent, startedEvent } from './run-events.ts'

/*
 * Executing a run: every scenario with every model, with a simulated user and simulated tools.
 */

const executionBody = z.object({
  model_config_ids: z.array(id).min(1).max(limits.modelsPerRun.value),
  scenario_ids: z
    .array(id)
    .min(1)
    .max(limits.scenariosPerRun.value)
    .optional()
    .describe('default: all scenarios of the run'),
  collection_id: id
    .nullish()
    .describe(
      'an evaluator collection that scores each conversation, and replaces the scores of another one; default: nothing is scored',
    ),
  max_cost_usd: z
    .number()
    .positive()
    .max(limits.executionCost.value)
    .nullish()
    .describe('no call begins once all bills together reach it; default: no limit'),
  concurrency: z
    .int()
    .min(1)
    .max(limits.executionConcurrency.value)
    .default(4)
    .describe('conversations at once; model calls are limited for the organization as well'),
})
export type ExecutionRequest = z.output<typeof executionBody>

const executionEvent = z.discriminatedUnion('type', [
  startedEvent,
  z.object({ type: z.literal('result'), result: runResult }),
  progressEvent,
  z.object({ type: z.literal('completed'), data: costRun }),
  errorEvent,
])
export type ExecutionEvent = z.output<typeof executionEvent>

const mayRun = ['run_agents', 'manage_agents'] as const

export const executeRun = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/execute',
  tag: 'Cost calculator',
  summary: 'Execute a run, and respond when it has finished',
  description:
    'Runs every scenario with every model that has no result yet, or a failed one. Each conversation is a trace of mode `simulation`. Users and tools are simulated by the model that wrote the scenarios, else by the first of `model_config_ids`, which also judges. Stops as `partial` after 780 seconds, at `max_cost_usd`, when it is canceled, or when you disconnect; finished conversations are kept, so executing again completes the run. A run that is in progress, has no scenarios, or would have results of too many models, is `CONFLICT`.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inRun,
  body: appBody(executionBody),
  success: { status: 202, data: costRun },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const streamExecution = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/cost-calculator/runs/{runId}/execute/stream',
  tag: 'Cost calculator',
  summary: 'Execute a run as a stream',
  description:
    'As above, with each result as soon as its conversation has ended; `data` of `completed` is that of the response above. Disconnect to cancel.',
  access: { by: 'session', of: 'project', anyOf: mayRun },
  cost: 'expensive',
  params: inRun,
  body: { ...appBody(executionBody), malformed: 400 },
  reply: 'json-lines',
  success: { status: 200, data: executionEvent },
  errors: ['NOT_FOUND', 'CONFLICT'],
})
