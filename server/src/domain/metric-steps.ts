import { computeIncrease, IntervalCounter, listIntervals } from './distribution.ts'
import type { Instant } from './instant.ts'
import type { Distribution, MetricPoint, MetricSeries } from './metric.ts'

/*
 * A series over time, in steps of one length. The members of a step depend on the kind of series:
 *
 *   gauges, non-monotonic sums    avg, min, max and last of the values in the step
 *   other sums                    sum (the increase in the step) and rate (per second)
 *   histograms, summaries         count, sum, rate (count per second), avg and quantiles
 *
 * The increase between two points of a cumulative series belongs to the step of the later one. A value that
 * decreased, or a start after the previous point, means that the counter was reset: the later value is then the
 * whole increase.
 */

export interface MetricStep {
  /** Its start. */
  readonly at: Instant
  readonly count: number | null
  readonly sum: number | null
  /** Per second. */
  readonly rate: number | null
  readonly avg: number | null
  readonly min: number | null
  readonly max: number | null
  readonly last: number | null
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export interface StepRange {
  readonly from: Instant
  /** Exclusive. */
  readonly to: Instant
  readonly stepNanos: bigint
}

type Measured = Pick<MetricSeries, 'kind' | 'temporality' | 'isMonotonic'>
type Point = Pick<MetricPoint, 'at' | 'startedAt' | 'value' | 'distribution'>

/**
 * The non-empty steps, in order. `points` are ordered by time and may start with one before `from`, from
 * which the first increase is computed.
 */
export function toSteps(series: Measured, points: Iterable<Point>, range: StepRange): MetricStep[] {
  const seconds = Number(range.stepNanos) / 1e9
  const steps: MetricStep[] = []
  let open: { readonly index: bigint; readonly accumulator: StepAccumulator } | undefined
  let before: Point | undefined
  const close = () => {
    if (open === undefined) return
    const at = range.from + open.index * range.stepNanos
    const step = open.accumulator.step(seconds)
    if (step !== undefined) steps.push({ at, ...nothing, ...step })
  }
  for (const point of points) {
    if (point.at >= range.to) break
    if (point.at >= range.from) {
      const index = (point.at - range.from) / range.stepNanos
      if (open?.index !== index) {
        close()
        open = { index, accumulator: createAccumulator(series) }
      }
      open.accumulator.add(point, before, range)
    }
    before = point
  }
  close()
  return steps
}

const nothing: Omit<MetricStep, 'at'> = {
  count: null,
  sum: null,
  rate: null,
  avg: null,
  min: null,
  max: null,
  last: null,
  p50: null,
  p90: null,
  p99: null,
}

/** Aggregates the points of one step. */
interface StepAccumulator {
  add(point: Point, before: Point | undefined, range: StepRange): void
  /** Undefined when the step has no value. */
  step(seconds: number): Partial<MetricStep> | undefined
}

function createAccumulator({ kind, temporality, isMonotonic }: Measured): StepAccumulator {
  if (kind === 'summary') return accumulateSummary()
  if (kind === 'histogram' || kind === 'exponential_histogram') {
    return accumulateHistogram(temporality === 'cumulative')
  }
  if (kind === 'sum' && temporality === 'delta') return accumulateDeltas(({ value }) => value)
  if (kind === 'sum' && isMonotonic) return accumulateDeltas(increase)
  return accumulateValues()
}

function accumulateValues(): StepAccumulator {
  const values: number[] = []
  return {
    add({ value }) {
      if (value !== null) values.push(value)
    },
    step() {
      const last = values.at(-1)
      if (last === undefined) return undefined
      const sum = values.reduce((total, value) => total + value, 0)
      const [min, max] = [least(values), most(values)]
      return { avg: sum / values.length, min, max, last }
    },
  }
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b))
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b))
}

function accumulateDeltas(
  added: (...args: Parameters<StepAccumulator['add']>) => number | null,
): StepAccumulator {
  let sum: number | undefined
  let last: number | null = null
  return {
    add(point, before, range) {
      const amount = added(point, before, range)
      if (amount !== null) sum = (sum ?? 0) + amount
      last = point.value
    },
    step: (seconds) => (sum === undefined ? { last } : { sum, rate: sum / seconds, last }),
  }
}

/** Null when the start of the value is unknown or before the range. */
function increase(point: Point, before: Point | undefined, range: StepRange): number | null {
  const { value } = point
  if (value === null) return null
  if (before?.value === undefined || before.value === null)
    return startsIn(point, range) ? value : null
  return isNewStart(point, before) || value < before.value ? value : value - before.value
}

function isNewStart({ startedAt }: Point, before: Point): boolean {
  return startedAt !== null && startedAt >= before.at
}

function startsIn({ startedAt, at }: Point, { from }: StepRange): boolean {
  return startedAt !== null && startedAt >= from && startedAt < at
}

const reportedQuantiles = [0.5, 0.9, 0.99] as const

function accumulateHistogram(isCumulative: boolean): StepAccumulator {
  const counter = new IntervalCounter()
  const totals = accumulateTotals()
  return {
    add(point, before, range) {
      const added = isCumulative ? histogramIncrease(point, before, range) : point.distribution
      if (added === null) return
      totals.add(added)
      counter.add(listIntervals(added))
    },
    step(seconds) {
      const values = totals.step(seconds)
      if (values === undefined) return undefined
      const [p50, p90, p99] = counter.quantiles(reportedQuantiles, values) ?? []
      return { ...values, p50: p50 ?? null, p90: p90 ?? null, p99: p99 ?? null }
    },
  }
}

function histogramIncrease(
  point: Point,
  before: Point | undefined,
  range: StepRange,
): Distribution | null {
  const { distribution } = point
  if (distribution === null) return null
  if (before?.distribution === undefined || before.distribution === null) {
    return startsIn(point, range) ? distribution : null
  }
  if (isNewStart(point, before)) return distribution
  return computeIncrease(distribution, before.distribution) ?? distribution
}

function accumulateTotals() {
  let count: number | undefined
  let sum: number | null = 0
  let min: number | null = null
  let max: number | null = null
  return {
    add(added: Distribution) {
      count = (count ?? 0) + added.count
      sum = sum === null || added.sum === null ? null : sum + added.sum
      if (added.min !== null) min = Math.min(min ?? added.min, added.min)
      if (added.max !== null) max = Math.max(max ?? added.max, added.max)
    },
    step(seconds: number) {
      if (count === undefined) return undefined
      const avg = sum === null || count === 0 ? null : sum / count
      return { count, sum, rate: count / seconds, avg, min, max }
    },
  }
}

/** Count and sum of a summary are cumulative; its quantiles cover the sender's own window. */
function accumulateSummary(): StepAccumulator {
  const totals = accumulateTotals()
  let values: Distribution['quantiles'] = []
  return {
    add(point, before, range) {
      const added = histogramIncrease(point, before, range)
      if (added !== null) totals.add(added)
      values = point.distribution?.quantiles ?? []
    },
    step(seconds) {
      const at = (quantile: number) => values.find(([each]) => each === quantile)?.[1] ?? null
      const [p50, p90, p99] = reportedQuantiles
      return { ...totals.step(seconds), p50: at(p50), p90: at(p90), p99: at(p99) }
    },
  }
}
