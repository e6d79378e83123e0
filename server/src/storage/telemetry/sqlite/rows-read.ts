import { millisBetween } from '../../../domain/instant.ts'
import type { Mode, Source, SpanHead, SpanStatus, Trace } from '../../../domain/span.ts'
import type { SpanCells } from './batch-rows.ts'

/*
 * Rows as the statements give them, and what they say. They cross from a reader's thread as they are, because
 * arrays of plain values are cloned several times faster than the objects made of them.
 */

export type TraceRow = readonly [
  traceId: string,
  rootName: string,
  status: SpanStatus,
  mode: Mode,
  environment: string | null,
  tags: string,
  source: Source,
  sessionId: string | null,
  userId: string | null,
  service: string | null,
  sdk: string | null,
  startedAt: string,
  endedAt: string,
  spanCount: number,
  errorCount: number,
  llmCallCount: number,
  toolCallCount: number,
  tokensIn: number,
  tokensOut: number,
  costUsd: number | null,
  models: string,
  updatedAt: string,
  traceNo: number,
]

export function traceOf(projectId: string, row: TraceRow): Trace {
  const startedAt = BigInt(row[11])
  const endedAt = BigInt(row[12])
  return {
    traceId: row[0],
    projectId,
    rootName: row[1],
    status: row[2],
    mode: row[3],
    environment: row[4],
    tags: JSON.parse(row[5]),
    source: row[6],
    sessionId: row[7],
    userId: row[8],
    service: row[9],
    sdk: row[10],
    startedAt,
    endedAt,
    durationMs: millisBetween(startedAt, endedAt),
    spanCount: row[13],
    errorCount: row[14],
    llmCallCount: row[15],
    toolCallCount: row[16],
    tokensIn: row[17],
    tokensOut: row[18],
    costUsd: row[19],
    models: JSON.parse(row[20]),
    updatedAt: BigInt(row[21]),
  }
}

export function headOf(cells: SpanCells): SpanHead {
  return {
    spanId: cells[0],
    parentSpanId: cells[1],
    name: cells[2],
    kind: cells[3],
    status: cells[4],
    statusMessage: cells[5],
    startedAt: BigInt(cells[6]),
    endedAt: BigInt(cells[7]),
    latencyMs: cells[8],
    model: cells[9],
    tokensIn: cells[10],
    tokensOut: cells[11],
    tokensCacheRead: cells[12],
    tokensCacheWrite: cells[13],
    tokensReasoning: cells[14],
    costUsd: cells[15],
    costSource: cells[16],
    sessionId: cells[17],
    userId: cells[18],
    environment: cells[19],
    service: cells[20],
    sdk: cells[21],
    provider: cells[25],
    serviceTier: cells[26],
    tokensCacheWrite1h: cells[27],
    computedCostUsd: cells[28],
    priceSource: cells[29],
    priceDate: cells[30],
    unpricedReason: cells[31],
    tags: cells[32],
  }
}
