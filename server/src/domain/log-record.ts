import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A log record as the rest of the server knows it.
 */

export interface LogRecord {
  readonly at: Instant
  readonly observedAt: Instant | null
  /** 1 to 24 as OpenTelemetry counts, 0 where it is not told. */
  readonly severity: number
  readonly severityText: string | null
  readonly eventName: string | null
  readonly traceId: string | null
  /** Only beside a trace id. */
  readonly spanId: string | null
  readonly service: string | null
  readonly body: JsonText
  readonly attributes: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
  /** What the record tells of the input and the output of its span; null where that is not what it is about. */
  readonly content: SpanContent | null
}

/** Lists of messages as JSON; null where nothing is told. */
export interface SpanContent {
  readonly input: JsonText | null
  readonly output: JsonText | null
}

/** The least number of each level, by the names that people know. */
export const severities = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const
