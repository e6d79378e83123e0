import type { Instant } from '../../domain/instant.ts'
import type { JsonText } from '../../domain/json-text.ts'
import type { MetricSeries } from '../../domain/metric.ts'
import type { Score } from '../../domain/score.ts'
import type { Source, Span, Trace, TraceLabels } from '../../domain/span.ts'
import type { StoredLog } from './port/logs.ts'

/*
 * Stored telemetry as it moves from one engine to another: with what the port does not show, such as when traces arrived
 * and settled. Everything is streamed.
 */

export interface TelemetrySource {
  /** The ids of all projects that have stored anything. */
  projects(): readonly string[]
  /** The days in UTC on which traces of a project started, oldest first. */
  traceDays(projectId: string): Iterable<string>
  /** Those that started on a day. */
  traces(projectId: string, day: string): Iterable<MovedTrace>
  logDays(projectId: string): Iterable<string>
  logs(projectId: string, day: string): Iterable<MovedLog>
  /** The next `limit` series after one, in the order in which they were created. */
  series(projectId: string, after: number, limit: number): readonly MovedSeries[]
  idempotencyRecords(): Iterable<MovedIdempotencyRecord>
  /** What the engine has counted while it stored them. */
  counts(projectId: string): MovedCounts
  /** Where another engine continues that lists settled traces after a position of this one. */
  settledPosition(projectId: string, position: string): string
  /** Differs once anything was written. */
  fingerprint(): string
  close(): void
}

export interface MovedTrace {
  readonly trace: Trace
  readonly labels: TraceLabels | null
  /** Both null for traces from before the engine recorded them. */
  readonly receivedAt: Instant | null
  readonly settlesAt: Instant | null
  readonly scores: readonly Score[]
  /** Read while it is iterated. Throws `DamagedRow`. */
  spans(): Iterable<MovedSpan>
}

export interface MovedSpan extends Span {
  readonly source: Source
}

export interface MovedLog extends StoredLog {
  /** The input and output that it has for its span. */
  readonly content: MovedContent | null
}

export interface MovedContent {
  readonly observedAt: Instant
  readonly requestIndex: number
  readonly input: JsonText | null
  readonly output: JsonText | null
}

export interface MovedSeries extends MetricSeries {
  readonly id: string
  /** For the next call. */
  readonly position: number
  points(): Iterable<MovedPoint>
}

export interface MovedPoint {
  readonly at: Instant
  readonly startedAt: Instant | null
  readonly value: number | null
  /** As in point-text.ts. */
  readonly distribution: string | null
  readonly exemplars: string | null
}

export interface MovedIdempotencyRecord {
  readonly projectId: string
  readonly key: string
  readonly note: string
  /** JSON, as `Recorded.traces`. */
  readonly traces: string
  readonly createdAt: Instant
}

export interface MovedCounts {
  readonly traces: number
  readonly spans: number
  readonly points: number
  readonly logs: number
  readonly scores: number
}

/** A stored row that cannot be read. Its message names it. */
export class DamagedRow extends Error {
  constructor(row: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${row}: ${reason}`, { cause })
    this.name = 'DamagedRow'
  }
}

export const dayNanos = 86_400_000_000_000n

/** The day in UTC of an instant. */
export function toDay(at: Instant): string {
  return new Date(Number(at / 1_000_000n)).toISOString().slice(0, 10)
}

/** The first instant of a day. */
export function startOfDay(day: string): Instant {
  return BigInt(Date.parse(`${day}T00:00:00Z`)) * 1_000_000n
}
