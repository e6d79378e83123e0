import type { Source, Span, SpanHead } from '../../../domain/span.ts'
import type { CountedSpan } from '../../../domain/trace-totals.ts'
import type { BodyLocation } from './blocks.ts'
import { type ColumnDeclarations, defineColumns, type Row } from './columns.ts'

/*
 * The columns of `spans`, in the order of their rows. A new column is declared here and added to the table in
 * migrations.ts.
 */

/** A span encoded for the writer. `blockNo` counts the blocks of its batch. */
export interface EncodedSpan extends SpanHead {
  readonly blockNo: number
  readonly bodyOffset: number
  readonly bodyBytes: number
}

/** A span in the table. `blockNo` is the number of a stored block. */
export interface StoredSpan extends EncodedSpan {
  readonly source: Source
}

const encodedSpan: ColumnDeclarations<EncodedSpan> = {
  spanId: ['span_id', 'text'],
  parentSpanId: ['parent_span_id', 'text'],
  name: ['name', 'text'],
  kind: ['kind', 'text'],
  status: ['status', 'text'],
  statusMessage: ['status_message', 'text'],
  startedAt: ['started_at', 'instant'],
  endedAt: ['ended_at', 'instant'],
  latencyMs: ['latency_ms', 'positive'],
  model: ['model', 'text'],
  tokensIn: ['tokens_in', 'integer'],
  tokensOut: ['tokens_out', 'integer'],
  tokensCacheRead: ['tokens_cache_read', 'integer'],
  tokensCacheWrite: ['tokens_cache_write', 'integer'],
  tokensReasoning: ['tokens_reasoning', 'integer'],
  costUsd: ['cost_usd', 'real'],
  costSource: ['cost_source', 'text'],
  sessionId: ['session_id', 'text'],
  userId: ['user_id', 'text'],
  environment: ['environment', 'text'],
  service: ['service', 'text'],
  sdk: ['sdk', 'text'],
  blockNo: ['block_no', 'integer'],
  bodyOffset: ['body_offset', 'integer'],
  bodyBytes: ['body_bytes', 'integer'],
  provider: ['provider', 'text'],
  serviceTier: ['service_tier', 'text'],
  tokensCacheWrite1h: ['tokens_cache_write_1h', 'integer'],
  computedCostUsd: ['computed_cost_usd', 'real'],
  priceSource: ['price_source', 'text'],
  priceDate: ['price_date', 'text'],
  unpricedReason: ['unpriced_reason', 'text'],
  tags: ['tags', 'text'],
  traceName: ['trace_name', 'text'],
  responseId: ['response_id', 'text'],
  repeatsSpanId: ['repeats_span_id', 'text'],
  isSeparateCall: ['is_separate_call', 'boolean'],
}

const encodedSpanColumns = defineColumns<EncodedSpan>(encodedSpan)

export const spanColumns = defineColumns<StoredSpan>({ ...encodedSpan, source: ['source', 'text'] })

export type EncodedSpanRow = Row<EncodedSpan>
export type SpanRow = Row<StoredSpan>

export function toEncodedRow(span: Span, { block, offset, bytes }: BodyLocation): EncodedSpanRow {
  return encodedSpanColumns.toRow({
    ...span,
    blockNo: block,
    bodyOffset: offset,
    bodyBytes: bytes,
  })
}

export const encodedSpanId = encodedSpanColumns.reader('spanId')
export const blockOfEncoded = encodedSpanColumns.reader('blockNo')

const blockIndex = encodedSpanColumns.keys.indexOf('blockNo')

/** The row of a part whose blocks are counted from `firstBlock`. */
export function withBlock(row: EncodedSpanRow, firstBlock: number): EncodedSpanRow {
  return firstBlock === 0
    ? row
    : (row.with(blockIndex, blockOfEncoded(row) + firstBlock) as unknown as EncodedSpanRow)
}

/**
 * The row with the number of its stored block. `source` is the only column that an encoded row does not
 * have, at its end.
 */
export function toStoredRow(row: EncodedSpanRow, blockNo: number, source: Source): SpanRow {
  const values = [...row, source]
  values[blockIndex] = blockNo
  return values as unknown as SpanRow
}

const bodyColumns = ['blockNo', 'bodyOffset', 'bodyBytes'] as const satisfies (keyof EncodedSpan)[]
type BodyColumn = (typeof bodyColumns)[number]

export const readSpanId = spanColumns.reader('spanId')
export const readSpanKind = spanColumns.reader('kind')
export const readBodyLocation = spanColumns.selectReader(bodyColumns)

export const toSpanHead: (row: SpanRow) => SpanHead = spanColumns.selectReader(
  encodedSpanColumns.keys.filter(
    (key): key is Exclude<typeof key, BodyColumn> => !bodyColumns.some((own) => own === key),
  ),
)

/** What the writer caches of a span. */
export interface StoredSpanState extends CountedSpan {
  readonly blockNo: number
  /** As stored when it was read. */
  readonly repeatsSpanId: string | null
  readonly isSeparateCall: boolean
}

const countedColumns = [
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'status',
  'startedAt',
  'endedAt',
  'model',
  'tokensIn',
  'tokensOut',
  'tokensCacheRead',
  'tokensCacheWrite',
  'costUsd',
  'sessionId',
  'userId',
  'environment',
  'service',
  'sdk',
  'responseId',
  'tags',
  'traceName',
  'source',
  'blockNo',
  'repeatsSpanId',
  'isSeparateCall',
] as const satisfies (keyof StoredSpan)[]

export const toCountedSpan: (row: SpanRow) => StoredSpanState =
  spanColumns.selectReader(countedColumns)

/** The same columns alone. */
export const countedSpanColumns = spanColumns.pick(countedColumns)

/** What the rollups need of a span. */
export const rollupSpanColumns = spanColumns.pick([
  'spanId',
  'parentSpanId',
  'status',
  'startedAt',
  'endedAt',
  'model',
  'tokensIn',
  'tokensOut',
  'costUsd',
  'repeatsSpanId',
  'isSeparateCall',
])

export type RollupSpanRow = Parameters<typeof rollupSpanColumns.fromRow>[0]

/** Each recording of a span has its own block, and each re-pricing increments the revision. */
export const spanVersion = `block_no || '.' || revision`

const pricedColumns = [
  'spanId',
  'kind',
  'model',
  'provider',
  'serviceTier',
  'startedAt',
  'tokensIn',
  'tokensOut',
  'tokensCacheRead',
  'tokensCacheWrite',
  'tokensCacheWrite1h',
  'tokensReasoning',
  'costUsd',
  'computedCostUsd',
  'priceSource',
  'priceDate',
  'unpricedReason',
] as const satisfies (keyof StoredSpan)[]

type PricedColumn = (typeof pricedColumns)[number]

interface PricedSpan extends Pick<StoredSpan, PricedColumn> {
  readonly version: string
}

/** What the price of a span depends on, that price, and the version of the span. */
export const pricedSpanColumns = defineColumns<PricedSpan>({
  ...spanColumns.pick(pricedColumns).declarations,
  version: [spanVersion, 'text'],
})

export type PricedSpanRow = Parameters<typeof pricedSpanColumns.fromRow>[0]

export const pricedSpanId = pricedSpanColumns.reader('spanId')
export const toPricedSpan = pricedSpanColumns.fromRow

/** What the models of a trace are counted from. */
export const modelSpanColumns = spanColumns.pick([
  'spanId',
  'parentSpanId',
  'startedAt',
  'model',
  'provider',
  'serviceTier',
  'tokensIn',
  'tokensOut',
  'costUsd',
  'costSource',
  'computedCostUsd',
  'repeatsSpanId',
  'isSeparateCall',
])

export type ModelSpanRow = Parameters<typeof modelSpanColumns.fromRow>[0]
