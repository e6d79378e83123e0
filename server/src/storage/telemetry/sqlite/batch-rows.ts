import type { UnpricedReason } from '@assay/contract/traces.ts'
import type { JsonText } from '../../../domain/json-text.ts'
import type { CostSource, Source, Span, SpanStatus } from '../../../domain/span.ts'
import type { CountedSpan } from '../../../domain/trace-totals.ts'
import type { BodyPlace } from './blocks.ts'

/*
 * The narrow rows of a batch on their way to the writer: one JSON text. Tried against it: a binary form made
 * by hand saves half a microsecond a span over both threads, of about twenty, and is longer than this file.
 */

/** The columns of `spans` between `trace_no` and `source`, in their order; instants as decimal text. */
export type SpanCells = readonly [
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
const blockCell = 22

export interface BatchRows {
  /** For each trace of the batch, in the order of its `traceIds`, its spans; no id twice. */
  readonly traces: readonly (readonly SpanCells[])[]
  /** For each block, in the order of their bytes. */
  readonly blocks: readonly (readonly [bytes: number, isCompressed: boolean])[]
}

export function encodeRows(rows: BatchRows): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(rows))
}

export function decodeRows(bytes: Uint8Array): BatchRows {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
}

export function cellsOf(span: Span, body: BodyPlace): SpanCells {
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
export function bodyPlaceOf(cells: readonly [...SpanCells, ...unknown[]]): BodyPlace {
  return { block: cells[blockCell], offset: cells[23], bytes: cells[24] }
}

export function withBlock(cells: SpanCells, blockNo: number) {
  return cells.with(blockCell, blockNo)
}

export function countedOf(
  cells: readonly [...SpanCells, ...unknown[]],
  source: Source,
): CountedSpan {
  return {
    spanId: cells[0],
    parentSpanId: cells[1],
    name: cells[2],
    kind: cells[3],
    status: cells[4],
    startedAt: BigInt(cells[6]),
    endedAt: BigInt(cells[7]),
    model: cells[9],
    tokensIn: cells[10],
    tokensOut: cells[11],
    costUsd: cells[15],
    sessionId: cells[17],
    userId: cells[18],
    environment: cells[19],
    service: cells[20],
    sdk: cells[21],
    tags: cells[32],
    source,
  }
}
