import type { Instant } from './instant.ts'
import type { JsonText } from './json-text.ts'

/*
 * Metrics as the rest of the server knows them.
 */

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential_histogram' | 'summary'

/** What the values of a series say: what came since the point before, or all since the start. */
export type Temporality = 'unspecified' | 'delta' | 'cumulative'

/** All that tells one series of a project from another; the description alone does not. */
export interface MetricSeries {
  readonly name: string
  readonly kind: MetricKind
  readonly unit: string
  readonly description: string
  /** `unspecified` of gauges and summaries, which have none. */
  readonly temporality: Temporality
  /** Of sums: whether it can only grow. */
  readonly isMonotonic: boolean
  readonly service: string | null
  /** Objects, the keys of `attributes` in their order, so that equal ones are equal as text. */
  readonly attributes: JsonText
  readonly resource: JsonText
  readonly scope: JsonText
}

export interface MetricPoint {
  readonly at: Instant
  /** Since when it counts; null where that is not told. */
  readonly startedAt: Instant | null
  /** Of gauges and sums; null of the others. */
  readonly value: number | null
  /** Of histograms and summaries; null of the others. */
  readonly distribution: Distribution | null
  readonly exemplars: readonly Exemplar[]
}

/** Of each kind the members it has; the others are empty or 0. */
export interface Distribution {
  readonly count: number
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  /** Of histograms: the upper bounds of all buckets but the last, ascending. */
  readonly bounds: readonly number[]
  /** Of histograms: one more than bounds, or none at all. */
  readonly counts: readonly number[]
  /** Of exponential histograms, with all that follows but the quantiles. */
  readonly scale: number
  readonly zeroCount: number
  readonly zeroThreshold: number
  readonly positive: Buckets
  readonly negative: Buckets
  /** Of summaries: quantile and value. */
  readonly quantiles: readonly (readonly [quantile: number, value: number])[]
}

export interface Buckets {
  /** The index of the first. */
  readonly offset: number
  readonly counts: readonly number[]
}

/** One measurement that went into a point, with the span in which it was made. */
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
