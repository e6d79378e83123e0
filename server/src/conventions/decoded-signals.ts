import type { Instant } from '../domain/instant.ts'
import type { Distribution, MetricKind, Temporality } from '../domain/metric.ts'
import type { Attributes, AttributeValue, DecodedResource, DecodedScope } from './decoded-span.ts'

/*
 * Log records and metrics decoded from OTLP in either encoding: validated, not yet interpreted.
 */

/** Items of one scope of one resource, in the order they were sent. */
export interface DecodedGroup<Item> {
  readonly resource: DecodedResource
  readonly scope: DecodedScope
  readonly items: readonly Item[]
}

export interface DecodedLogRecord {
  /** When it happened, else when it was observed. Never 0. */
  readonly at: Instant
  /** 0: not reported. */
  readonly observedAt: Instant
  /** `SeverityNumber` of OTLP: 1 to 24, 0 where it is not reported. */
  readonly severity: number
  readonly severityText: string
  readonly body: AttributeValue
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly flags: number
  /** 32 lower-case hexadecimal digits; empty where the record belongs to no trace. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits; empty where it belongs to no span. */
  readonly spanId: string
  readonly eventName: string
}

/** One metric of a request with those of its points that can be stored. */
export interface DecodedMetric {
  readonly name: string
  readonly description: string
  readonly unit: string
  readonly kind: MetricKind
  /** `unspecified` of gauges and summaries, which have none. */
  readonly temporality: Temporality
  /** Of sums: whether it can only grow. */
  readonly isMonotonic: boolean
  readonly points: readonly DecodedPoint[]
}

export interface DecodedPoint {
  readonly attributes: Attributes
  /** 0: not reported. */
  readonly startedAt: Instant
  readonly at: Instant
  readonly flags: number
  /** Of gauges and sums: finite. 0 of the others. */
  readonly value: number
  /** Of histograms and summaries; null of the others. */
  readonly distribution: Distribution | null
  readonly exemplars: readonly DecodedExemplar[]
}

export interface DecodedExemplar {
  /** 0: not reported. */
  readonly at: Instant
  readonly value: number
  /** As in a log record. */
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}
