import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, inProject } from './fields.ts'
import { spanStatus } from './ingest.ts'
import { selectedTraces } from './trace-management.ts'
import { trace, traceFilters } from './traces.ts'

const message = z
  .looseObject({ role: z.string() })
  .describe('as sent to or returned by the model; plain text is the `content` of a message')

export const trajectory = trace
  .extend({
    messages: z
      .array(message)
      .describe(
        'input messages of the last model call that has any, then its response; without such a call, input and output of the root span',
      ),
    tool_calls: z
      .array(
        z.object({
          span_id: z.string(),
          name: z.string(),
          input: z.unknown(),
          output: z.unknown(),
          status: spanStatus,
          latency_ms: z.number().nullable(),
        }),
      )
      .describe('ordered by start time'),
    rewards: z
      .array(z.object({ name: z.string(), score: z.number() }))
      .describe('the newest score of each name'),
  })
  .meta({ id: 'Trajectory' })
export type Trajectory = z.output<typeof trajectory>

export const exportTrajectories = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/export',
  tag: 'Traces',
  summary: 'Export traces as trajectories, one per line, newest first',
  description:
    'Accepts the filters of `GET …/traces`. Each trace is sent while it is read: an export that is cut off may end with an incomplete line, followed by a line with an `error` message.',
  access: { by: 'session', of: 'project', anyOf: ['export_rl_data'] },
  cost: 'expensive',
  params: inProject,
  query: traceFilters.extend({ format: z.enum(['jsonl']).default('jsonl') }),
  reply: 'json-lines',
  success: { status: 200, data: trajectory },
})

export const exportSelectedTrajectories = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/traces/export',
  tag: 'Traces',
  summary: 'Export chosen traces as trajectories, one per line',
  description: 'As `GET …/export`, in the order of the ids. Traces that do not exist are left out.',
  access: { by: 'session', of: 'project', anyOf: ['export_rl_data'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(z.object({ trace_ids: selectedTraces })),
  reply: 'json-lines',
  success: { status: 200, data: trajectory },
})
