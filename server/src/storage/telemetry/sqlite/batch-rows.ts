import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { CostSource, Source, Span, SpanStatus } from '../../../domain/span.ts'
import type { CountedSpan } from '../../../domain/trace-totals.ts'
import type { BodyLocation } from './blocks.ts'

/*
 * The narrow rows of a batch on their way to the writer: one JSON text. Tried against it: a binary form made
 * by hand saves half a microsecond a span over both threads, of about twenty, and is longer than this file.
 */

/** The columns of `spans` between `trace_no` and `source`, in their order; instants as decimal text. */
export type SpanColumns = readonly [
  spanId: string,
  parentSpanId: string | null,
  name: string,
  kind: string,
  status: SpanStatus,
  statusMessage: string | null,
  startedAt: string,
  endedAt: string,
  latencyMs: number,
  model: string | null,
  tokensIn: number | null,
  tokensOut: number | null,
  tokensCacheRead: number | null,
  tokensCacheWrite: number | null,
  tokensReasoning: number | null,
  costUsd: number | null,
  costSource: CostSource,
  sessionId: string | null,
  userId: string | null,
  environment: string | null,
  service: string | null,
  sdk: string | null,
  block: number,
  bodyOffset: number,
  bodyBytes: number,
  provider: string | null,
  serviceTier: string | null,
  tokensCacheWrite1h: number | null,
  computedCostUsd: number | null,
  priceSource: string | null,
  priceDate: string | null,
  unpricedReason: UnpricedReason | null,
  tags: JsonText | null,
]

/** Where `block` stands among the cells. */
const blockColumn = 22

export interface BatchRows {
  /** For each trace of the batch, in the order of its `traceIds`, its spans; no id twice. */
  readonly traces: readonly (readonly SpanColumns[])[]
  /** For each block, in the order of their bytes. */
  readonly blocks: readonly (readonly [bytes: number, isCompressed: boolean])[]
}

export function encodeRows(rows: BatchRows): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(rows))
}

export function decodeRows(bytes: Uint8Array): BatchRows {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}

export function toSpanColumns(span: Span, body: BodyLocation): SpanColumns {
  return [
    span.spanId,
    span.parentSpanId,
    span.name,
    span.kind,
    span.status,
    span.statusMessage,
    String(span.startedAt),
    String(span.endedAt),
    span.latencyMs,
    span.model,
    span.tokensIn,
    span.tokensOut,
    span.tokensCacheRead,
    span.tokensCacheWrite,
    span.tokensReasoning,
    span.costUsd,
    span.costSource,
    span.sessionId,
    span.userId,
    span.environment,
    span.service,
    span.sdk,
    body.block,
    body.offset,
    body.bytes,
    span.provider,
    span.serviceTier,
    span.tokensCacheWrite1h,
    span.computedCostUsd,
    span.priceSource,
    span.priceDate,
    span.unpricedReason,
    span.tags,
  ]
}

/** In a batch `block` counts the blocks of the batch, in a stored row it is the block's number. */
export function toBodyLocation(columns: readonly [...SpanColumns, ...unknown[]]): BodyLocation {
  return { block: columns[blockColumn], offset: columns[23], bytes: columns[24] }
}

export function withBlock(columns: SpanColumns, blockNo: number) {
  return columns.with(blockColumn, blockNo)
}

export function toCountedSpan(
  columns: readonly [...SpanColumns, ...unknown[]],
  source: Source,
): CountedSpan {
  return {
    spanId: columns[0],
    parentSpanId: columns[1],
    name: columns[2],
    kind: columns[3],
    status: columns[4],
    startedAt: BigInt(columns[6]),
    endedAt: BigInt(columns[7]),
    model: columns[9],
    tokensIn: columns[10],
    tokensOut: columns[11],
    costUsd: columns[15],
    sessionId: columns[17],
    userId: columns[18],
    environment: columns[19],
    service: columns[20],
    sdk: columns[21],
    tags: columns[32],
    source,
  }
}
