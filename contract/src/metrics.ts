import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  inProject,
  limitedList,
  queryNumber,
  requestTimestamp,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { limits } from './limits.ts'

/*
 * Reading metrics received over OTLP.
 */

export const metricKinds = [
  'gauge',
  'sum',
  'histogram',
  'exponential_histogram',
  'summary',
] as const
export const metricKind = z.enum(metricKinds)

export const metric = z
  .object({
    name: z.string(),
    kind: metricKind,
    unit: z.string(),
    description: z.string(),
    series_count: z
      .int()
      .describe(`at most ${limits.metricSeriesCounted.value.toLocaleString('en-US')} are counted`),
    last_seen_at: timestamp.describe('of the counted series'),
  })
  .meta({ id: 'Metric' })
export type Metric = z.output<typeof metric>

const amount = z.number().nullable()

export const metricStep = z
  .object({
    at: timestamp.describe('the start of the step'),
    count: amount.describe('histograms and summaries: measurements in the step'),
    sum: amount.describe('the increase in the step; null for gauges'),
    rate: amount.describe('per second: the increase of sums, the measurements of histograms'),
    avg: amount,
    min: amount,
    max: amount,
    last: amount.describe('gauges and sums: the newest value, as sent'),
    p50: amount,
    p90: amount,
    p99: amount,
  })
  .meta({ id: 'MetricStep' })

const attributes = z.record(z.string(), z.unknown())

export const exemplar = z
  .object({
    at: timestamp.nullable(),
    value: z.number(),
    trace_id: z.string().nullable(),
    span_id: z.string().nullable(),
    attributes,
  })
  .meta({ id: 'Exemplar' })

export const metricSeries = z
  .object({
    series_id: z.string(),
    kind: metricKind,
    unit: z.string(),
    description: z.string(),
    temporality: z.enum(['unspecified', 'delta', 'cumulative']),
    is_monotonic: z.boolean(),
    service: z.string().nullable(),
    attributes,
    resource: attributes,
    scope: attributes,
    steps: z
      .array(metricStep)
      // A range that starts within a step ends within another one.
      .max(limits.metricSteps.value + 1)
      .describe('steps without measurements are left out'),
    exemplars: limitedList(exemplar, 'metricExemplars').describe('newest first'),
  })
  .meta({ id: 'MetricSeries' })
export type MetricSeries = z.output<typeof metricSeries>

export const listMetrics = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/metrics',
  tag: 'Metrics and logs',
  summary: 'List the metrics of a project by name',
  description:
    'One entry per name, kind and unit. `cursor` is `meta.cursor` of the previous page; it is null on the last page.',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: z.object({
    limit: wholeNumber(1, limits.metricsPageMax.value).default(limits.metricsPageMax.value),
    cursor: z.string().optional(),
  }),
  success: {
    status: 200,
    data: z.array(metric),
    meta: z.object({ pageSize: z.int(), cursor: z.string().nullable() }),
  },
  errors: ['INTERNAL_ERROR 503'],
})

const attributeFilter = z
  .string()
  .max(1024)
  .regex(/^[^=]+=/s, 'must be key=value')

export const readMetric = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/metrics/{name}',
  tag: 'Metrics and logs',
  summary: 'Read the series of a metric over time',
  description: `Each series has steps of \`step\` seconds. Gauges and non-monotonic sums have \`avg\`, \`min\`, \`max\` and \`last\`; other sums have \`sum\` and \`rate\`, computed from cumulative values and aware of counter resets; histograms and summaries have \`count\`, \`sum\`, \`rate\`, \`avg\` and quantiles. At most ${limits.metricSeries.value} series with points in the range are returned, ordered by service and attributes, and fewer when they exceed ${limits.pageBytes.value / 2 ** 20} MiB; \`meta.total\` counts them up to ${limits.metricSeriesCounted.value.toLocaleString('en-US')}.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject.extend({ name: z.string().min(1).max(limits.metricNameLength.value) }),
  query: z.object({
    from: requestTimestamp.optional().describe('this time or later; default: an hour before `to`'),
    to: requestTimestamp.optional().describe('before this time; default: now'),
    step: queryNumber()
      .pipe(
        z
          .int()
          .min(1)
          .max(31 * 24 * 3600),
      )
      .optional()
      .describe('seconds; default: 1/60 of the range'),
    service: z.string().optional(),
    attribute: z
      .union([
        attributeFilter.transform((one) => [one]),
        z.array(attributeFilter).max(limits.attributeFilters.value),
      ])
      .optional()
      .describe('`key=value`, repeatable; filters combine with AND'),
  }),
  success: {
    status: 200,
    data: limitedList(metricSeries, 'metricSeries'),
    meta: z.object({
      from: timestamp,
      to: timestamp,
      step: z.int().describe('seconds'),
      total: z.int(),
    }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})
