import type { MetricSeries } from '@assay/contract/metrics.ts'
import { type ChartFrame, type ChartSeries, everyStep } from '@assay/ui/chart-series.ts'
import type { MetricResult } from '../../api/metrics.ts'
import {
  type Aggregation,
  canCombine,
  combined,
  type SingleAggregation,
} from './metric-aggregations.ts'
import { attributeLabel, formatLabel, serviceLabel } from './metric-search.ts'

/*
 * The lines of a metric chart: one per series, or grouped by an attribute.
 */

/** More lines would be indistinguishable; the others are in the table. */
export const linesMax = 20

export function toChartFrame({ from, to, step }: MetricResult): ChartFrame {
  return { from: Date.parse(from), to: Date.parse(to), stepMs: step * 1000 }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The attributes of a series, plus its service if known. */
export function toLabels({ service, attributes }: MetricSeries): ReadonlyMap<string, string> {
  const labels = new Map(service === null ? [] : [[serviceLabel, service]])
  for (const [name, value] of Object.entries(attributes)) {
    labels.set(attributeLabel(name), toText(value))
  }
  return labels
}

/** The number of distinct values of each label, counting its absence. */
function countValues(series: readonly MetricSeries[]): ReadonlyMap<string, number> {
  const all = series.map(toLabels)
  const labels = new Set(all.flatMap((one) => [...one.keys()]))
  const countValues = (label: string) => new Set(all.map((one) => one.get(label))).size
  return new Map([...labels].map((label) => [label, countValues(label)]))
}

/** The labels of all series, those with the most distinct values first. */
export function allLabels(series: readonly MetricSeries[]): readonly string[] {
  return [...countValues(series)]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([label]) => label)
}

/** Names each series after the labels that differ, otherwise after its service or ID. */
export function toSeriesNames(series: readonly MetricSeries[]): readonly string[] {
  const counts = countValues(series)
  const varyingLabels = allLabels(series).filter((label) => (counts.get(label) ?? 0) > 1)
  return series.map((one) => {
    const labels = toLabels(one)
    const parts = varyingLabels.flatMap((label) => {
      const value = labels.get(label)
      if (value === undefined) return []
      return [varyingLabels.length === 1 ? value : `${formatLabel(label)}=${value}`]
    })
    if (parts.length > 0) return parts.join(', ')
    return varyingLabels.length > 0 ? '(none)' : (one.service ?? one.series_id)
  })
}

export interface Lines {
  readonly lines: readonly ChartSeries[]
  /** The number of lines beyond the limit. */
  readonly hiddenCount: number
}

/** A single series shows its quantiles as three lines. */
export function toLines(
  result: MetricResult,
  aggregation: Aggregation,
  group: string | undefined,
): Lines {
  const { series } = result
  const frame = toChartFrame(result)
  if (aggregation === 'quantiles') {
    const only = series[0]
    if (only === undefined || series.length > 1) return toLines(result, 'p90', group)
    const quantiles = ['p50', 'p90', 'p99'] as const
    return { lines: quantiles.map((one) => line(frame, one, one, [only], one)), hiddenCount: 0 }
  }
  const names = toSeriesNames(series)
  const groups =
    group === undefined || !canCombine(aggregation)
      ? series.map((one, place) => [names[place] ?? '', [one]] as const)
      : [...Map.groupBy(series, (one) => toLabels(one).get(group) ?? '(none)')]
  const lines = groups
    .map(([name, of], place) => line(frame, `${place}`, name, of, aggregation))
    .sort((one, other) => sumMagnitudes(other) - sumMagnitudes(one))
  return { lines: lines.slice(0, linesMax), hiddenCount: Math.max(0, lines.length - linesMax) }
}

function line(
  frame: ChartFrame,
  id: string,
  name: string,
  of: readonly MetricSeries[],
  aggregation: SingleAggregation,
): ChartSeries {
  const steps = Map.groupBy(
    of.flatMap((one) => one.steps),
    (step) => Date.parse(step.at),
  )
  const values = new Map([...steps].map(([at, found]) => [at, combined(found, aggregation)]))
  return { id, name, form: 'line', points: everyStep(frame, values, null) }
}

function sumMagnitudes({ points }: ChartSeries): number {
  return points.reduce((sum, { value }) => sum + Math.abs(value ?? 0), 0)
}

export interface ChartExemplar {
  readonly at: number
  readonly value: number
  readonly traceId: string
  readonly spanId: string | null
}

/** The exemplars in range that have a trace ID, newest first. */
export function toExemplars(result: MetricResult): readonly ChartExemplar[] {
  const { from, to } = toChartFrame(result)
  return result.series
    .flatMap(({ exemplars }) => exemplars)
    .flatMap(({ at, value, trace_id, span_id }) => {
      if (at === null || trace_id === null) return []
      return [{ at: Date.parse(at), value, traceId: trace_id, spanId: span_id }]
    })
    .filter(({ at }) => at >= from && at < to)
    .sort((one, other) => other.at - one.at)
}
