import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inProject, requestTimestamp, timestamp, wholeNumber } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Reading log records received over OTLP.
 */

const attributes = z.record(z.string(), z.unknown())

export const logRecord = z
  .object({
    log_id: z.string(),
    at: timestamp,
    observed_at: timestamp.nullable(),
    severity: z.int().describe('1 to 24 as in OpenTelemetry; 0: not reported'),
    severity_text: z.string().nullable(),
    event_name: z.string().nullable(),
    trace_id: z.string().nullable(),
    span_id: z.string().nullable(),
    service: z.string().nullable(),
    body: z.unknown(),
    attributes,
    resource: attributes,
    scope: attributes,
  })
  .meta({ id: 'LogRecord' })
export type LogRecord = z.output<typeof logRecord>

export const severityNames = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export const severityName = z.enum(severityNames)

export const logFilters = z.object({
  severity: severityName.optional().describe('this severity or higher'),
  trace_id: z.string().max(limits.traceIdLength.value).optional(),
  span_id: z.string().max(limits.spanIdLength.value).optional().describe('requires `trace_id`'),
  service: z.string().optional(),
  event_name: z.string().optional(),
  q: z
    .string()
    .max(limits.searchLength.value)
    .optional()
    .describe(
      'search terms that must all occur in the body, the attributes or the event name, as substrings; ASCII is case-insensitive; double quotes make a phrase',
    ),
  from: requestTimestamp.optional().describe('at this time or later'),
  to: requestTimestamp.optional().describe('before this time'),
})

export const listLogs = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/logs',
  tag: 'Metrics and logs',
  summary: 'List log records, newest first',
  description: `\`cursor\` is \`meta.cursor\` of the previous page and null on the last page. A page scans at most ${limits.logsScanned.value} records and ends before it exceeds ${limits.pageBytes.value} bytes. It may have fewer records than \`limit\`, with filters even none, and still have a cursor. Narrow \`from\` and \`to\` to find older records sooner.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: logFilters.extend({
    limit: wholeNumber(1, limits.logsPageMax.value).default(limits.logsPageDefault.value),
    cursor: z.string().optional(),
  }),
  success: {
    status: 200,
    data: z.array(logRecord),
    meta: z.object({ pageSize: z.int(), cursor: z.string().nullable() }),
  },
  errors: ['INTERNAL_ERROR 503'],
})
