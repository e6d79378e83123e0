import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { chosenId, chosenIdHelp, id, requestTimestamp } from './fields.ts'
import { limits } from './limits.ts'

/*
 * JSON ingestion. Source: interface specification, "Trace ingest request" and "Span"; bounds of span
 * fields: the decisions that complete it.
 */

const text = (max: number) => z.string().min(1).max(max)

// Passed through by reference: copying the members would make a key named __proto__ the prototype.
const freeObject = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be an object' },
  )
  .meta({ type: 'object' })

const count = z.int().min(0)
const amount = z.number().min(0)

export const spanStatuses = ['OK', 'ERROR'] as const
export const spanStatus = z.enum(spanStatuses)

export const ingestSpan = z
  .object({
    span_id: chosenId(limits.spanIdLength.value),
    parent_span_id: chosenId(limits.spanIdLength.value).nullish().describe(chosenIdHelp),
    name: text(limits.spanNameLength.value),
    kind: text(limits.kindLength.value).default('function'),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    model: z.string().max(limits.modelLength.value).nullish(),
    tokens_in: count.nullish(),
    tokens_out: count.nullish(),
    tokens_cache_read: count.nullish(),
    tokens_cache_write: count.nullish(),
    tokens_cache_write_1h: count
      .nullish()
      .describe('the part of tokens_cache_write with a lifetime of one hour'),
    tokens_reasoning: count.nullish(),
    provider: z
      .string()
      .max(limits.providerLength.value)
      .nullish()
      .describe('the provider that served the call: `openai`, `aws.bedrock`, `ollama` and so on'),
    service_tier: z
      .string()
      .max(limits.serviceTierLength.value)
      .nullish()
      .describe('the service tier, where it changes the price: `batch`, `flex`, `priority`'),
    cost_usd: amount.nullish(),
    latency_ms: amount.nullish(),
    started_at: requestTimestamp,
    ended_at: requestTimestamp.nullish(),
    status: spanStatus.nullish(),
    status_message: z.string().max(limits.statusMessageLength.value).nullish(),
    attributes: freeObject.nullish(),
    events: z.array(z.unknown()).nullish(),
    session_id: chosenId(limits.sessionIdLength.value).nullish().describe(chosenIdHelp),
    user_id: text(limits.sessionIdLength.value).nullish(),
  })
  .refine(({ started_at, ended_at }) => isOrdered(started_at, ended_at), {
    path: ['ended_at'],
    error: 'must not be before started_at',
  })
  .refine(({ started_at, ended_at, latency_ms }) => isInRange(started_at, ended_at, latency_ms), {
    path: ['latency_ms'],
    error: 'must end the span before 2262',
  })
  .meta({ id: 'IngestSpan' })
export type IngestSpan = z.output<typeof ingestSpan>

// Compared as text of equal precision, to distinguish instants within one millisecond.
function isOrdered(startedAt: string, endedAt: string | null | undefined): boolean {
  if (endedAt === null || endedAt === undefined) return true
  return padded(startedAt) <= padded(endedAt)
}

/** Without an end, the latency determines it. */
function isInRange(
  startedAt: string,
  endedAt: string | null | undefined,
  latencyMs: number | null | undefined,
): boolean {
  if (typeof endedAt === 'string' || typeof latencyMs !== 'number') return true
  return Date.parse(startedAt) + latencyMs < Date.UTC(2262, 0, 1)
}

function padded(instantText: string): string {
  const [whole = '', fraction = ''] = instantText.slice(0, -1).split('.')
  const withSeconds = whole.length === 'yyyy-mm-ddThh:mm'.length ? `${whole}:00` : whole
  return `${withSeconds}.${fraction.padEnd(9, '0')}`
}

export const ingestBatch = z.object({
  trace_id: chosenId(limits.traceIdLength.value),
  spans: z.array(ingestSpan).min(1).max(limits.spansPerIngest.value),
  root_name: z.string().max(limits.rootNameLength.value).nullish(),
  status: spanStatus.nullish(),
  environment: z.string().max(limits.environmentLength.value).nullish(),
  mode: z
    .enum(['live', 'simulation'])
    .optional()
    .meta({ description: 'Keeps the mode of the trace if absent; `live` for a new trace' }),
  started_at: requestTimestamp.nullish(),
  tags: z.array(text(limits.tagLength.value)).max(limits.tagsPerTrace.value).nullish(),
  session_id: chosenId(limits.sessionIdLength.value).nullish().describe(chosenIdHelp),
  user_id: text(limits.sessionIdLength.value).nullish(),
})
export type IngestBatch = z.output<typeof ingestBatch>

export const ingestTrace = endpoint({
  method: 'POST',
  path: '/traces/ingest',
  tag: 'Ingestion',
  summary: 'Ingest one trace, or add spans to it',
  description:
    'The spans are stored and readable before the response. Resending a `span_id` replaces that span. `span_count` is the number of spans the trace now has. A repeated `Idempotency-Key` returns the first successful response and stores nothing.',
  access: { by: 'tracing-key' },
  cost: 'expensive',
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(
        new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength.value}}$`),
        `must have 1 to ${limits.idempotencyKeyLength.value} visible ASCII characters`,
      )
      .optional(),
  }),
  body: {
    as: 'json',
    schema: ingestBatch,
    maxBytes: limits.ingestBodyBytes.value,
    malformed: 400,
    maxContainers: limits.jsonContainers.value,
    keepsNumbers: true,
  },
  invalid: { grouped: 'Invalid trace payload.' },
  success: {
    status: 202,
    data: z.object({
      trace_id: z.string(),
      project_id: id,
      span_count: z.int(),
      status: spanStatus,
    }),
  },
})
