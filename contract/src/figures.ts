import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inProject, pageMeta, pageQuery, timestamp } from './fields.ts'

const figures = {
  error_count: z.int(),
  model_call_count: z.int().describe('calls of a model that counted tokens'),
  unpriced_call_count: z.int().describe('those of them whose cost is unknown: `cost_usd` lacks it'),
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  latency_ms: z.object({
    p50: z.number().nullable(),
    p90: z.number().nullable(),
    p99: z.number().nullable(),
  }),
}

const traceFigures = { trace_count: z.int(), ...figures }

export const stats = z
  .object({
    from: timestamp,
    to: timestamp,
    bucket: z.enum(['hour', 'day']),
    buckets: z
      .array(z.object({ started_at: timestamp, ...traceFigures }))
      .describe('oldest first; buckets without traces are left out'),
    by_name: z.array(z.object({ name: z.string(), ...traceFigures })),
    by_environment: z
      .array(z.object({ environment: z.string().nullable(), ...traceFigures }))
      .describe('null: traces that name none'),
    by_model: z.array(z.object({ model: z.string(), call_count: z.int(), ...figures })),
  })
  .meta({ id: 'Stats' })

export const readStats = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/stats',
  tag: 'Traces',
  summary: 'Figures of traces over time, by name, environment and model',
  description:
    'Counts whole hours: `from` is taken back to the full hour and `to` is moved on to it, as the answer tells. Without `to` until now, without `from` 24 hours (`bucket=hour`) or 30 days (`bucket=day`, days of UTC) before. A trace counts in the hour it started in, a replaced span as it is now. Latencies are right within five percent. Of names, environments and models those 50 are told that most was counted of.',
  access: { by: 'session', of: 'project' },
  params: inProject,
  query: z.object({
    from: timestamp.optional(),
    to: timestamp.optional(),
    bucket: z
      .enum(['hour', 'day'])
      .optional()
      .describe('unless given: hours for up to three days, else days'),
  }),
  success: { status: 200, data: stats },
})

const group = {
  trace_count: z.int(),
  error_count: z.int().describe('traces in error'),
  span_count: z.int(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  first_seen_at: timestamp.describe('the start of its first trace'),
  last_seen_at: timestamp.describe('the start of its newest trace'),
}

export const listTraceSessions = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/sessions',
  tag: 'Traces',
  summary: 'List the sessions that traces name, those seen last first',
  description: '`GET …/traces?session_id=` lists the traces of one.',
  access: { by: 'session', of: 'project' },
  params: inProject,
  query: pageQuery,
  success: {
    status: 200,
    data: z.array(z.object({ session_id: z.string(), ...group }).meta({ id: 'TraceSession' })),
    meta: pageMeta,
  },
})

export const listTraceUsers = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/users',
  tag: 'Traces',
  summary: 'List the users that traces name, those seen last first',
  description: '`GET …/traces?user_id=` lists the traces of one.',
  access: { by: 'session', of: 'project' },
  params: inProject,
  query: pageQuery,
  success: {
    status: 200,
    data: z.array(z.object({ user_id: z.string(), ...group }).meta({ id: 'TraceUser' })),
    meta: pageMeta,
  },
})
