import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * Metrics as the server uses them, independent of their source.
 */

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential_histogram' | 'summary'

/** Whether values count since the previous point or since the start. */
export type Temporality = 'unspecified' | 'delta' | 'cumulative'

/** Everything that identifies a series in a project, and its description, which does not. */
export interface MetricSeries {
  readonly name: string
  readonly kind: MetricKind
  readonly unit: string
  readonly description: string
  /** `unspecified` for gauges and summaries, which have none. */
  readonly temporality: Temporality
  /** For sums: whether the value only grows. */
  readonly isMonotonic: boolean
  readonly service: string | null
  /** Objects; the keys of `attributes` are sorted, so that equal attributes are equal as text. */
  readonly attributes: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
}

export interface MetricPoint {
  readonly at: Instant
  /** Start of the counting; null when unspecified. */
  readonly startedAt: Instant | null
  /** For gauges and sums; null for others. */
  readonly value: number | null
  /** For histograms and summaries; null for others. */
  readonly distribution: Distribution | null
  readonly exemplars: readonly Exemplar[]
}

/** Each kind sets its own members; the others are empty or 0. */
export interface Distribution {
  readonly count: number
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  /** For histograms: the upper bounds of all buckets except the last, ascending. */
  readonly bounds: readonly number[]
  /** For histograms: one more than bounds, or empty. */
  readonly counts: readonly number[]
  /** For exponential histograms, as are the following members except the quantiles. */
  readonly scale: number
  readonly zeroCount: number
  readonly zeroThreshold: number
  readonly positive: Buckets
  readonly negative: Buckets
  /** For summaries: quantile and value. */
  readonly quantiles: readonly (readonly [quantile: number, value: number])[]
}

export interface Buckets {
  /** The index of the first bucket. */
  readonly offset: number
  readonly counts: readonly number[]
}

/** One measurement of a point, with the span it was made in. */
export interface Exemplar {
  readonly at: Instant | null
  readonly value: number
  readonly traceId: string | null
  readonly spanId: string | null
  readonly attributes: JsonText
}

export interface Measurement {
  readonly series: MetricSeries
  readonly point: MetricPoint
}
