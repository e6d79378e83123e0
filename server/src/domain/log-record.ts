import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * A log record as the server uses it, independent of its source.
 */

export interface LogRecord {
  readonly at: Instant
  readonly observedAt: Instant | null
  /** 1 to 24 as in OpenTelemetry, 0 when unspecified. */
  readonly severity: number
  readonly severityText: string | null
  readonly eventName: string | null
  readonly traceId: string | null
  /** Set only with a trace id. */
  readonly spanId: string | null
  readonly service: string | null
  readonly body: JsonText
  readonly attributes: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
  /** The input and output that the record has for its span; null for other records. */
  readonly content: SpanContent | null
}

/** Lists of messages as JSON; null when the record has none. */
export interface SpanContent {
  readonly input: JsonText | null
  readonly output: JsonText | null
}

/** The lowest severity number of each level, by the usual names. */
export const severities = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const
