import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  callCounts,
  inProject,
  limitedList,
  pageMeta,
  pageQuery,
  requestTimestamp,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { limits } from './limits.ts'
import { traceFilters } from './traces.ts'

const value = z.string().max(limits.traceFilterLength.value).optional()

const statsFields = {
  error_count: z.int(),
  ...callCounts,
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  latency_ms: z.object({
    p50: z.number().nullable(),
    p90: z.number().nullable(),
    p99: z.number().nullable(),
  }),
}

const traceStatsFields = { trace_count: z.int(), ...statsFields }

/** Ordered by width. */
export const statsBuckets = ['minute', '5m', 'hour', 'day'] as const

export const stats = z
  .object({
    from: timestamp,
    to: timestamp,
    bucket: z.enum(statsBuckets),
    buckets: limitedList(
      z.object({ started_at: timestamp, ...traceStatsFields }),
      'statsBuckets',
    ).describe('oldest first; buckets without traces are left out'),
    by_name: limitedList(z.object({ name: z.string(), ...traceStatsFields }), 'statsGroups'),
    by_environment: limitedList(
      z.object({ environment: z.string().nullable(), ...traceStatsFields }),
      'statsGroups',
    ).describe('null: traces without an environment'),
    by_model: limitedList(
      z.object({ model: z.string(), call_count: z.int(), ...statsFields }),
      'statsGroups',
    ),
    by_tag: limitedList(z.object({ tag: z.string(), ...traceStatsFields }), 'statsGroups').describe(
      'a trace counts for each of its tags',
    ),
    is_complete: z.boolean().describe('whether the counts cover the whole range'),
    complete_from: timestamp.describe(
      'counts are complete from this time on: `from`, or later if `is_complete` is false',
    ),
  })
  .meta({ id: 'Stats' })

/** Of traces: whole values that combine with AND. */
export const statsFilters = z.object({
  mode: traceFilters.shape.mode,
  name: traceFilters.shape.name.unwrap().optional().describe('the name of the trace'),
  environment: value,
  service: value,
  model: value.describe('the model of one of its spans'),
  tag: traceFilters.shape.tag,
})
export type StatsFilters = z.output<typeof statsFilters>

export const readStats = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/stats',
  tag: 'Traces',
  summary: 'Aggregates of traces over time, by name, environment, model and tag',
  description: `Counts whole buckets, or whole hours if those are longer: \`from\` and \`to\` are rounded outwards, and the response has the rounded range. \`to\` defaults to now, \`from\` to an hour (\`bucket=minute\`), 6 hours (\`5m\`), 24 hours (\`hour\`) or 30 days (\`day\`, in UTC) earlier. \`minute\` and \`5m\` are limited to 6 hours, \`hour\` to ${limits.statsBuckets.value} hours. A trace counts in the bucket of its start; a replaced span counts once. Latencies are accurate to five percent. Names, environments, models and tags are limited to the ${limits.statsGroups.value} most frequent. Filters match whole values and combine with AND; the stats by model then cover all calls of the matching traces. Up to 20 tags and 20 models of a trace can be filtered by. Buckets of minutes count at most the newest ${limits.statsTraces.value} traces with at most 200,000 spans. Hours and days are complete for any number of traces; with filters other than \`mode\`, and by tag, only the newest hours count, up to 100,000 combinations of name, environment, service, tag and model for each mode.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: z.object({
    from: requestTimestamp.optional(),
    to: requestTimestamp.optional(),
    bucket: z
      .enum(statsBuckets)
      .optional()
      .describe('default: hours for up to three days, else days'),
    ...statsFilters.shape,
  }),
  success: { status: 200, data: stats },
  errors: ['INTERNAL_ERROR 503'],
})

export const traceHistogram = z
  .object({
    from: timestamp,
    to: timestamp,
    bucket_ms: z.int().describe('a round number: seconds, minutes, hours, days or weeks'),
    buckets: limitedList(
      z.object({
        started_at: timestamp.describe('the start of the bucket'),
        trace_count: z.int(),
        error_count: z.int().describe('traces in error'),
      }),
      'histogramBuckets',
    ).describe('oldest first; buckets without traces are left out'),
    is_complete: z.boolean().describe('whether all matching traces are counted'),
    complete_from: timestamp.describe(
      'counts are complete from this time on: `from`, or later if `is_complete` is false. The bucket that contains it is incomplete',
    ),
  })
  .meta({ id: 'TraceHistogram' })

export const readHistogram = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/histogram',
  tag: 'Traces',
  summary: 'Count traces and failed traces over time, with the filters of the trace list',
  description: `Accepts every filter of \`GET …/traces\`. Buckets have a round width, start at round times in UTC (weeks on Monday) and are counted whole: \`from\` and \`to\` are rounded outwards, and the response has the rounded range. \`to\` defaults to now, \`from\` to the oldest matching trace; without both, the range ends with the newest. Without filters, or with only \`environment\`, \`status\` or \`mode\`, buckets of an hour or longer are complete. Otherwise the newest traces are read: at least ${limits.histogramTraces.value} that match the most selective filter, five times as many if \`status\`, \`mode\`, \`environment\`, \`source\` and \`service\` are the only filters, a tenth for a \`q\` with common words. \`is_complete\` is false if there are more.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: traceFilters.extend({
    buckets: wholeNumber(1, limits.histogramBuckets.value)
      .default(60)
      .describe(
        'approximate number of buckets; the response uses the narrowest round width that needs no more',
      ),
  }),
  success: { status: 200, data: traceHistogram },
  errors: ['INTERNAL_ERROR 503'],
})

const group = {
  trace_count: z.int(),
  error_count: z.int().describe('traces in error'),
  span_count: z.int(),
  ...callCounts,
  tokens_in: z.number(),
  tokens_out: z.number(),
  cost_usd: z.number(),
  first_seen_at: timestamp.describe('the start of its first trace'),
  last_seen_at: timestamp.describe('the start of its newest trace'),
}

const groupMeta = pageMeta.extend({
  is_complete: z.boolean().describe('false: the page ended at the scan limit'),
  complete_from: z
    .string()
    .nullable()
    .describe('with `is_complete` false: traces that started before this time are not included'),
})

const groupQuery = pageQuery.extend({
  from: requestTimestamp.optional().describe('the latest trace started at this time or later'),
  to: requestTimestamp.optional().describe('the latest trace started before this time'),
})

const scanOfGroups = `A page examines at least the newest ${limits.groupTraces.value} traces: where it ends there, \`meta.is_complete\` is false, sums include the traces back to \`meta.complete_from\`, and the cursor continues from there.`

export const listTraceSessions = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/sessions',
  tag: 'Traces',
  summary: 'List sessions, most recently active first',
  description: `Sums are over all traces of a session. \`GET …/traces?session_id=\` lists them. ${scanOfGroups}`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: groupQuery,
  success: {
    status: 200,
    data: z.array(z.object({ session_id: z.string(), ...group }).meta({ id: 'TraceSession' })),
    meta: groupMeta,
  },
  errors: ['INTERNAL_ERROR 503'],
})

export const listTraceUsers = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/users',
  tag: 'Traces',
  summary: 'List users, most recently active first',
  description: `Sums are over all traces of a user. \`GET …/traces?user_id=\` lists them. ${scanOfGroups}`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: groupQuery,
  success: {
    status: 200,
    data: z.array(z.object({ user_id: z.string(), ...group }).meta({ id: 'TraceUser' })),
    meta: groupMeta,
  },
  errors: ['INTERNAL_ERROR 503'],
})
