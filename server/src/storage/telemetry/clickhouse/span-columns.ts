import type { Source, Span, SpanBody, SpanHead } from '../../../domain/span.ts'
import type { CountedSpan } from '../../../domain/trace-totals.ts'
import type { PriceableSpan } from '../port/pricing.ts'
import type { ModelSpan } from '../used-models.ts'
import { type ColumnDeclarations, defineColumns } from './columns.ts'

/*
 * The columns of `spans`. A new column is declared here and added to the table in a migration.
 */

/** What the store derives from the other spans of a trace is stored with the trace. */
type DerivedFact = 'repeatsSpanId' | 'isSeparateCall'

export type StoredHead = Omit<SpanHead, DerivedFact>

const head: ColumnDeclarations<StoredHead> = {
  spanId: ['span_id', 'text'],
  parentSpanId: ['parent_span_id', 'optional text'],
  name: ['name', 'text'],
  kind: ['kind', 'text'],
  status: ['status', 'text'],
  statusMessage: ['status_message', 'optional text'],
  startedAt: ['started_at', 'instant'],
  endedAt: ['ended_at', 'instant'],
  latencyMs: ['latency_ms', 'optional real'],
  model: ['model', 'optional text'],
  tokensIn: ['tokens_in', 'optional integer'],
  tokensOut: ['tokens_out', 'optional integer'],
  tokensCacheRead: ['tokens_cache_read', 'optional integer'],
  tokensCacheWrite: ['tokens_cache_write', 'optional integer'],
  tokensReasoning: ['tokens_reasoning', 'optional integer'],
  costUsd: ['cost_usd', 'optional real'],
  costSource: ['cost_source', 'text'],
  sessionId: ['session_id', 'optional text'],
  userId: ['user_id', 'optional text'],
  environment: ['environment', 'optional text'],
  service: ['service', 'optional text'],
  sdk: ['sdk', 'optional text'],
  provider: ['provider', 'optional text'],
  serviceTier: ['service_tier', 'optional text'],
  tokensCacheWrite1h: ['tokens_cache_write_1h', 'optional integer'],
  computedCostUsd: ['computed_cost_usd', 'optional real'],
  priceSource: ['price_source', 'optional text'],
  priceDate: ['price_date', 'optional text'],
  unpricedReason: ['unpriced_reason', 'optional text'],
  tags: ['tags', 'optional text'],
  traceName: ['trace_name', 'optional text'],
  responseId: ['response_id', 'optional text'],
}

const body: ColumnDeclarations<SpanBody> = {
  input: ['input', 'text'],
  output: ['output', 'text'],
  attributes: ['attributes', 'text'],
  events: ['events', 'text'],
  links: ['links', 'text'],
  resource: ['resource', 'text'],
  scope: ['scope', 'text'],
}

interface EncodedSpan extends StoredHead, SpanBody, Pick<Span, 'traceId'> {
  readonly words: readonly string[]
  readonly bodySize: number
}

/** The part of a row that follows from the span alone. */
export const encodedColumns = defineColumns<EncodedSpan>({
  traceId: ['trace_id', 'text'],
  ...head,
  ...body,
  words: ['words', 'texts'],
  bodySize: ['body_size', 'integer'],
})

/** The part of a row that its batch adds, before the other. */
export const batchColumns = defineColumns<{
  readonly projectId: string
  readonly version: string
  readonly arrivedOn: string
  readonly source: Source
}>({
  projectId: ['project_id', 'text'],
  version: ['version', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  source: ['source', 'text'],
})

/** Everything of a stored span except its version and what follows from the rest. */
export const movedSpanColumns = defineColumns<
  StoredHead &
    SpanBody &
    Pick<Span, 'traceId'> & { projectId: string; arrivedOn: string; source: Source }
>({
  projectId: ['project_id', 'text'],
  arrivedOn: ['arrived_on', 'text'],
  source: ['source', 'text'],
  traceId: ['trace_id', 'text'],
  ...head,
  ...body,
})

export const headColumns = defineColumns<StoredHead & { readonly bodySize: number }>({
  ...head,
  bodySize: ['body_size', 'integer'],
})
export const bodyColumns = defineColumns<SpanBody & Pick<SpanHead, 'spanId'>>({
  spanId: head.spanId,
  ...body,
})

/** What the totals of a trace are computed from. */
export interface CountedRow extends CountedSpan {
  readonly projectId: string
  readonly traceId: string
  readonly version: string
}

export const countedColumns = defineColumns<CountedRow>({
  projectId: ['project_id', 'text'],
  traceId: ['trace_id', 'text'],
  version: ['toString(version)', 'text'],
  source: ['source', 'text'],
  spanId: head.spanId,
  parentSpanId: head.parentSpanId,
  name: head.name,
  kind: head.kind,
  status: head.status,
  startedAt: head.startedAt,
  endedAt: head.endedAt,
  model: head.model,
  tokensIn: head.tokensIn,
  tokensOut: head.tokensOut,
  tokensCacheRead: head.tokensCacheRead,
  tokensCacheWrite: head.tokensCacheWrite,
  costUsd: head.costUsd,
  sessionId: head.sessionId,
  userId: head.userId,
  environment: head.environment,
  service: head.service,
  sdk: head.sdk,
  responseId: head.responseId,
  tags: head.tags,
  traceName: head.traceName,
})

/** What the price of a span depends on, that price, and the version of the span. */
export const pricedColumns = defineColumns<PriceableSpan>({
  traceId: ['trace_id', 'text'],
  version: ['toString(version)', 'text'],
  spanId: head.spanId,
  kind: head.kind,
  model: head.model,
  provider: head.provider,
  serviceTier: head.serviceTier,
  startedAt: head.startedAt,
  tokensIn: head.tokensIn,
  tokensOut: head.tokensOut,
  tokensCacheRead: head.tokensCacheRead,
  tokensCacheWrite: head.tokensCacheWrite,
  tokensCacheWrite1h: head.tokensCacheWrite1h,
  tokensReasoning: head.tokensReasoning,
  costUsd: head.costUsd,
  computedCostUsd: head.computedCostUsd,
  priceSource: head.priceSource,
  priceDate: head.priceDate,
  unpricedReason: head.unpricedReason,
})

/** What the models of a trace are counted from, without what is stored with the trace. */
export const modelSpanColumns = defineColumns<
  Omit<ModelSpan, DerivedFact> & { readonly traceId: string }
>({
  traceId: ['trace_id', 'text'],
  spanId: head.spanId,
  parentSpanId: head.parentSpanId,
  startedAt: head.startedAt,
  model: head.model,
  provider: head.provider,
  serviceTier: head.serviceTier,
  tokensIn: head.tokensIn,
  tokensOut: head.tokensOut,
  costUsd: head.costUsd,
  costSource: head.costSource,
  computedCostUsd: head.computedCostUsd,
})
