import { millisBetween } from '../../../domain/instant.ts'
import type { Mode, Source, SpanHead, SpanStatus, Trace } from '../../../domain/span.ts'
import type { SpanColumns } from './batch-rows.ts'

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

export function toTrace(projectId: string, row: TraceRow): Trace {
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

export function toSpanHead(columns: SpanColumns): SpanHead {
  return {
    spanId: columns[0],
    parentSpanId: columns[1],
    name: columns[2],
    kind: columns[3],
    status: columns[4],
    statusMessage: columns[5],
    startedAt: BigInt(columns[6]),
    endedAt: BigInt(columns[7]),
    latencyMs: columns[8],
    model: columns[9],
    tokensIn: columns[10],
    tokensOut: columns[11],
    tokensCacheRead: columns[12],
    tokensCacheWrite: columns[13],
    tokensReasoning: columns[14],
    costUsd: columns[15],
    costSource: columns[16],
    sessionId: columns[17],
    userId: columns[18],
    environment: columns[19],
    service: columns[20],
    sdk: columns[21],
    provider: columns[25],
    serviceTier: columns[26],
    tokensCacheWrite1h: columns[27],
    computedCostUsd: columns[28],
    priceSource: columns[29],
    priceDate: columns[30],
    unpricedReason: columns[31],
    tags: columns[32],
  }
}
