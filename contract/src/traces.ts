import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  callCounts,
  chosenId,
  id,
  inProject,
  inTrace,
  limitedList,
  queryNumber,
  requestTimestamp,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { spanStatus } from './ingest.ts'
import { limits } from './limits.ts'

/** Why a span has no price. */
export const unpricedReasons = [
  'no_model',
  'no_usage',
  'inconsistent_usage',
  'local_model',
  'unknown_provider',
  'unknown_model',
  'no_token_price',
  'no_tier_price',
  'too_many_models',
] as const
export type UnpricedReason = (typeof unpricedReasons)[number]

export const trace = z
  .object({
    trace_id: z.string(),
    project_id: id,
    root_name: z.string(),
    status: spanStatus,
    unfinished: z
      .enum(['root_open', 'root_missing'])
      .nullable()
      .describe(
        'what it waits for: `root_open` the end of its root span, which was sent without one; `root_missing` the parent of its first span, which may never arrive from a service that does not send its spans here; `null` nothing',
      ),
    mode: z.enum(['live', 'simulation']),
    environment: z.string().nullable(),
    tags: z.array(z.string()),
    source: z.enum(['json', 'otlp']),
    session_id: z.string().nullable(),
    user_id: z.string().nullable(),
    service: z.string().nullable(),
    sdk: z.string().nullable(),
    started_at: timestamp,
    ended_at: timestamp,
    duration_ms: z.number(),
    span_count: z.int(),
    error_count: z.int(),
    llm_call_count: z.int(),
    tool_call_count: z.int(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    cost_usd: z.number().nullable(),
    ...callCounts,
    models: z.array(z.string()),
    updated_at: timestamp,
    scores: z
      .object({ scored: z.int(), passed: z.int() })
      .optional()
      .describe(
        'in the list and in live messages: how many names it has a score of, and by how many of these it passes; the newest of a name counts',
      ),
  })
  .meta({ id: 'Trace' })
export type Trace = z.output<typeof trace>

const spanHead = z.object({
  span_id: z.string(),
  parent_span_id: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  status: spanStatus,
  status_message: z.string().nullable(),
  model: z.string().nullable(),
  tokens_in: z.int().nullable(),
  tokens_out: z.int().nullable(),
  tokens_cache_read: z.int().nullable(),
  tokens_cache_write: z.int().nullable(),
  tokens_reasoning: z.int().nullable(),
  tokens_cache_write_1h: z.int().nullable(),
  provider: z.string().nullable(),
  service_tier: z.string().nullable(),
  cost_usd: z.number().nullable(),
  cost_source: z.enum(['reported', 'priced', 'unknown']),
  computed_cost_usd: z
    .number()
    .nullable()
    .describe('computed from prices, even if a cost was reported'),
  price_source: z
    .string()
    .nullable()
    .describe(
      'the price it was computed with: `list:` and the model in the price list, or `project:` or `organization:` and the id of the custom price',
    ),
  price_date: z.iso.date().nullable().describe('the day from which that price applies'),
  unpriced_reason: z
    .enum(unpricedReasons)
    .nullable()
    .describe('why a span with a model or token counts has no price'),
  latency_ms: z.number().nullable().describe('null where the client reports no duration'),
  started_at: timestamp,
  ended_at: timestamp,
  session_id: z.string().nullable(),
  user_id: z.string().nullable(),
  service: z.string().nullable(),
  sdk: z.string().nullable(),
  response_id: z.string().nullable().describe("the provider's id of the response"),
  repeats_span_id: z
    .string()
    .nullable()
    .describe(
      'the span that counts in place of this one, because another instrumentation reports the same call',
    ),
  is_separate_call: z
    .boolean()
    .describe('whether it counts beside the calls within it, because its response is another'),
})

const attributes = z.record(z.string(), z.unknown())

const spanBody = z.object({
  input: z.unknown(),
  output: z.unknown(),
  attributes,
  events: limitedList(z.unknown(), 'otlpItems'),
  links: limitedList(z.unknown(), 'otlpItems'),
  resource: attributes,
  scope: attributes,
})

/** A span with its bodies; `links`, `resource` and `scope` are empty for spans ingested as JSON. */
export const span = spanHead.extend(spanBody.shape).meta({ id: 'Span' })
export type Span = z.output<typeof span>

/** A span in a list: `payload=none` leaves out its bodies. */
export const listedSpan = spanHead.extend(spanBody.partial().shape).meta({ id: 'ListedSpan' })
export type ListedSpan = z.output<typeof listedSpan>

const tagFilter = z.string().max(limits.tagLength.value)
const textFilter = z.string().max(limits.traceFilterLength.value)
const amount = queryNumber().pipe(z.number().min(0)).optional()
const share = queryNumber().pipe(z.number().min(0).max(1)).optional()

function repeatable<Text extends z.ZodString>(text: Text) {
  return z.union([text, z.array(text).min(1).max(limits.filterValues.value)]).optional()
}

const anyOf = (what: string) =>
  repeatable(textFilter).describe(`${what}; repeatable, any of the values matches`)
const noneOf = (what: string) =>
  repeatable(textFilter).describe(`excludes traces with this ${what}; repeatable`)

const attributeFilter = z
  .string()
  .max(limits.traceFilterLength.value)
  .regex(/^[^=]+=/s, 'must be key=value')

const attributeFilters = z
  .union([attributeFilter, z.array(attributeFilter).min(1).max(limits.attributeFilters.value)])
  .optional()

export const traceFilters = z.object({
  status: spanStatus.optional(),
  mode: z.enum(['live', 'simulation']).optional(),
  environment: anyOf('the environment'),
  not_environment: noneOf('environment'),
  source: z.enum(['json', 'otlp']).optional(),
  name: z
    .string()
    .max(limits.rootNameLength.value)
    .optional()
    .describe('substring of the root name or of a span name, case-insensitive'),
  not_name: z
    .string()
    .min(1)
    .max(limits.rootNameLength.value)
    .optional()
    .describe('excludes traces that `name` would match'),
  service: anyOf('the service'),
  not_service: noneOf('service'),
  session_id: anyOf('the session'),
  not_session_id: noneOf('session'),
  user_id: anyOf('the user'),
  not_user_id: noneOf('user'),
  tag: z
    .union([tagFilter, z.array(tagFilter).max(limits.tagFilters.value)])
    .optional()
    .describe('repeatable; tags combine with AND'),
  any_tag: repeatable(tagFilter).describe('one of these tags; repeatable'),
  not_tag: repeatable(tagFilter).describe('excludes traces with this tag; repeatable'),
  model: anyOf('the model of one of its spans'),
  not_model: noneOf('model in one of its spans'),
  kind: anyOf('the kind of one of its spans'),
  not_kind: noneOf('kind among its spans'),
  attribute: attributeFilters.describe(
    '`key=value`: an attribute of one of its spans or of their resource; repeatable, combined with AND; text is compared exactly, numbers by value, and of a list one element has to match',
  ),
  not_attribute: attributeFilters.describe(
    'excludes traces that `attribute` would match; repeatable',
  ),
  min_cost_usd: amount.describe('traces without a known cost are excluded'),
  max_cost_usd: amount.describe('inclusive; traces without a known cost are excluded'),
  min_duration_ms: amount,
  max_duration_ms: amount.describe('inclusive'),
  min_tokens: amount.describe('input and output tokens together'),
  max_tokens: amount.describe('inclusive'),
  q: z
    .string()
    .max(limits.traceSearchLength.value)
    .optional()
    .describe(
      'words that must all occur in the name, status message, input or output of one of its spans; `word*` matches a prefix; scripts without spaces match any substring',
    ),
  from: requestTimestamp.optional().describe('started at this time or later'),
  to: requestTimestamp.optional().describe('started before this time'),
  has_score: z
    .enum(['true', 'false'])
    .optional()
    .describe('whether it has a score of an evaluator or a person'),
  score: z
    .string()
    .min(1)
    .max(limits.nameLength.value)
    .optional()
    .describe('the name of a score that it has, of which the newest counts'),
  min_score: share.describe('with `score`'),
  max_score: share.describe('with `score`'),
  passed: z
    .enum(['true', 'false'])
    .optional()
    .describe('with `score`: whether the newest score of that name passed'),
})
export type TraceFilters = z.output<typeof traceFilters>

/** What traces can be sorted by; with a minus sign from the highest to the lowest. */
export const traceOrders = [
  ...(['started', '-started', 'duration', '-duration', 'cost', '-cost'] as const),
  ...(['tokens', '-tokens', 'errors', '-errors'] as const),
] as const
export type TraceOrder = (typeof traceOrders)[number]

export const listTraces = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces',
  tag: 'Traces',
  summary: 'List traces, newest first by `started_at` or in another order',
  description: `\`cursor\` is \`meta.cursor\` of the previous page; it is null on the last page. Filters examine about ${limits.tracesScanned.value} traces per page: where that ends a page early, \`meta.is_complete\` is false, the page has the matches back to \`meta.complete_from\`, possibly none, and the cursor continues from there. With \`attribute\`, ${limits.attributeTraces.value} traces that match the other filters are examined, or fewer if their spans have more than ${limits.attributeBytes.value / 2 ** 20} MiB. With an \`order\` other than \`-started\`, the newest ${limits.tracesSorted.value} traces are examined, and those that match are sorted: if there are more, \`meta.is_complete\` is false and \`meta.complete_from\` is where they begin; the cursor continues within them. Traces with an unknown cost come last. \`meta.total\` counts all traces of the project, or with \`mode\` as the only filter those of the mode; it is null while another filter is set. On ClickHouse, \`meta.is_total_estimate\` is true in projects of more than 20,000 traces, or of fewer that have just changed several times.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  query: traceFilters.extend({
    trace_id_prefix: z
      .string()
      .min(1)
      .max(limits.traceIdLength.value)
      .optional()
      .describe('the beginning of the trace id, or all of it; case-sensitive'),
    limit: wholeNumber(1, limits.tracesPageMax.value).default(limits.tracesPageDefault.value),
    order: z.enum(traceOrders).optional().describe('`-` for descending; default: `-started`'),
    cursor: z.string().optional(),
  }),
  success: {
    status: 200,
    data: z.array(trace),
    meta: z.object({
      pageSize: z.int(),
      cursor: z.string().nullable(),
      total: z.int().nullable(),
      is_total_estimate: z.boolean(),
      is_complete: z
        .boolean()
        .describe('false: the page ended at the scan limit, or not all traces were sorted'),
      complete_from: z
        .string()
        .nullable()
        .describe('with `is_complete` false: matches that started before this time may follow'),
      search_lag_ms: z
        .number()
        .nullable()
        .describe(
          'with `q`: age of the oldest stored span that is not yet in the search index; else null',
        ),
    }),
  },
  errors: ['INTERNAL_ERROR 503'],
})

/** The other form: changes are missing, and what is shown must be read again. */
const liveMessage = z.union([trace, z.object({ type: z.literal('reload') })])

export type LiveMessage = z.output<typeof liveMessage>

export const watchTraces = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/live',
  tag: 'Traces',
  summary: 'Server-sent events: one message per trace that was stored or changed',
  description:
    'Each message is the current trace, or `{"type":"reload"}`, at most every two seconds, when changes are missing: more at once than can be sent, or some of a process whose connection was lost. Then read again what you show. `{"type":"error","message":…}` is the last message of a stream that cannot continue, as when the database is down: connect again after a pause. Several changes of a trace in quick succession may be one message. A comment line every 15 seconds keeps proxies awake. A trace whose id is the word `live` cannot be read here: listing, export, removal and comments work as for any other, and its spans can be read at `…/traces/live/spans/{spanId}`.',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inProject,
  reply: 'events',
  success: { status: 200, data: liveMessage },
})

export const readTrace = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/{traceId}',
  tag: 'Traces',
  summary: 'Read one trace with its spans',
  description: `Spans are ordered by \`started_at\`, then \`span_id\`. A trace of more than ${limits.spansPage.value} spans, or with more than ${limits.pageBytes.value} bytes, is paged: \`meta.cursor\` continues it and is null on the last page. A page has at least one span. \`payload=none\` leaves the bodies out.`,
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inTrace,
  query: z.object({
    cursor: z.string().optional(),
    payload: z.enum(['full', 'none']).default('full'),
  }),
  success: {
    status: 200,
    data: trace.extend({ spans: z.array(listedSpan) }),
    meta: z.object({ pageSize: z.int(), cursor: z.string().nullable() }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const readSpan = endpoint({
  method: 'GET',
  path: '/projects/{projectId}/traces/{traceId}/spans/{spanId}',
  tag: 'Traces',
  summary: 'Read one span in full',
  access: { by: 'session', of: 'project' },
  cost: 'expensive',
  params: inTrace.extend({ spanId: chosenId(limits.spanIdLength.value) }),
  success: { status: 200, data: span },
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR 503'],
})
