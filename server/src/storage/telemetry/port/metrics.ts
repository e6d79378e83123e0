import type { Instant } from '../../../domain/instant.ts'
import type { Exemplar, MetricKind, MetricSeries } from '../../../domain/metric.ts'
import type { MetricStep, StepRange } from '../../../domain/metric-steps.ts'
import type { Position } from './position.ts'
import type { ReadOptions } from './read-options.ts'

/*
 * Reading metrics.
 */
export interface MetricReads {
  /** Ordered by the UTF-8 bytes of name, kind and unit. */
  listMetrics(projectId: string, query: MetricQuery, options?: ReadOptions): Promise<MetricPage>

  /**
   * The series of one name with points in the range, aggregated to steps. Undefined when the project has no such
   * metric; `too-many-points` when reading them takes more than `maxPoints`.
   */
  readSeries(
    projectId: string,
    name: string,
    query: SeriesQuery,
    options?: ReadOptions,
  ): Promise<SeriesResult | 'too-many-points' | undefined>
}

export interface MetricQuery {
  readonly limit: number
  readonly after?: Position
}

export interface MetricHead {
  readonly name: string
  readonly kind: MetricKind
  readonly unit: string
  readonly description: string
  /** Of the newest series, `limits.metricSeriesCounted` at most. */
  readonly seriesCount: number
  readonly lastSeenAt: Instant
}

export interface MetricPage {
  readonly metrics: readonly MetricHead[]
  readonly next: Position | undefined
}

export interface SeriesQuery {
  readonly range: StepRange
  readonly service?: string
  /** Attributes that a series must have; numbers and booleans in their JSON form. */
  readonly attributes: readonly (readonly [key: string, value: string])[]
  readonly maxSeries: number
  readonly maxPoints: number
  /** Per series, the newest. */
  readonly maxExemplars: number
}

export interface SeriesResult {
  /** Ordered by the UTF-8 bytes of service (none first), attributes and id; fewer beyond `limits.pageBytes`. */
  readonly series: readonly StoredSeries[]
  /** Including those beyond `maxSeries`; at most `limits.metricSeriesCounted`. */
  readonly total: number
}

export interface StoredSeries extends MetricSeries {
  readonly id: string
  readonly steps: readonly MetricStep[]
  readonly exemplars: readonly Exemplar[]
}
