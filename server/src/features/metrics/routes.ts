import { limits } from '@assay/contract/limits.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { formatInstant, type Instant, parseInstant } from '../../domain/instant.ts'
import type { Exemplar } from '../../domain/metric.ts'
import type { StepRange } from '../../domain/metric-steps.ts'
import { type Bind, ReadyJson } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { StoredSeries } from '../../storage/telemetry/port/metrics.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

export interface MetricsPorts {
  readonly bind: Bind
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

const metricNotFound = () => new Failure('NOT_FOUND', 'Metric not found.')
const tooManyPoints = () =>
  new Failure(
    'VALIDATION_ERROR',
    `from must be later: the range has more than ${limits.metricPoints.value} data points. Or filter the series by service or attribute`,
  )

export function registerMetrics({ bind, telemetry, clock }: MetricsPorts): void {
  bind(listMetrics, async ({ caller: { projectId }, query: { limit, cursor }, readOptions }) => {
    const query = { limit, ...(cursor !== undefined && { after: cursor }) }
    const { metrics, next } = await telemetry.listMetrics(projectId, query, readOptions)
    return {
      data: metrics.map(({ name, kind, unit, description, seriesCount, lastSeenAt }) => ({
        ...{ name, kind, unit, description },
        series_count: seriesCount,
        last_seen_at: formatInstant(lastSeenAt),
      })),
      meta: { pageSize: metrics.length, cursor: next ?? null },
    }
  })

  bind(readMetric, async ({ caller: { projectId }, params: { name }, query, readOptions }) => {
    const range = toStepRange(query, clock)
    const seriesQuery = {
      range,
      ...(query.service !== undefined && { service: query.service }),
      attributes: (query.attribute ?? []).map(parsePair),
      maxSeries: limits.metricSeries.value,
      maxPoints: limits.metricPoints.value,
      maxExemplars: limits.metricExemplars.value,
    }
    const response = await telemetry.readSeries(projectId, name, seriesQuery, readOptions)
    if (response === undefined) throw metricNotFound()
    if (response === 'too-many-points') throw tooManyPoints()
    return {
      data: new ReadyJson(`[${response.series.map(seriesText).join(',')}]`),
      meta: {
        from: formatInstant(range.from),
        to: formatInstant(range.to),
        step: Number(range.stepNanos / perSecond),
        total: response.total,
      },
    }
  })
}

const perSecond = 1_000_000_000n
const hour = 3600n * perSecond

interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step?: number | undefined
}

/** Throws VALIDATION_ERROR for an empty range, or one with more steps than a response may have. */
function toStepRange({ from: requested, to: requestedEnd, step }: Range, clock: Clock): StepRange {
  const to =
    requestedEnd === undefined
      ? BigInt(clock.now().getTime()) * 1_000_000n
      : parseInstant(requestedEnd)
  const from = requested === undefined ? later(to - hour, 0n) : parseInstant(requested)
  if (from >= to) throw new Failure('VALIDATION_ERROR', 'from must be before to')
  const wholeSeconds = (to - from) / (60n * perSecond)
  const stepNanos =
    step === undefined ? later(wholeSeconds, 1n) * perSecond : BigInt(step) * perSecond
  if (to - from > stepNanos * BigInt(limits.metricSteps.value)) {
    const message = `step must be longer: from and to are more than ${limits.metricSteps.value} steps apart`
    throw new Failure('VALIDATION_ERROR', message)
  }
  return { from, to, stepNanos }
}

function later(a: Instant, b: Instant): Instant {
  return a > b ? a : b
}

function parsePair(filter: string): readonly [key: string, value: string] {
  const at = filter.indexOf('=')
  return [filter.slice(0, at), filter.slice(at + 1)]
}

/** Stored JSON is passed through unparsed. */
function seriesText(series: StoredSeries): string {
  const head = JSON.stringify({
    series_id: series.id,
    kind: series.kind,
    unit: series.unit,
    description: series.description,
    temporality: series.temporality,
    is_monotonic: series.isMonotonic,
    service: series.service,
    steps: series.steps.map((step) => ({ ...step, at: formatInstant(step.at) })),
  })
  const exemplars = `[${series.exemplars.map(exemplarText).join(',')}]`
  return `${head.slice(0, -1)},"attributes":${series.attributes},"resource":${series.resource},"scope":${series.scope},"exemplars":${exemplars}}`
}

function exemplarText({ at, value, traceId, spanId, attributes }: Exemplar): string {
  const head = JSON.stringify({
    at: at === null ? null : formatInstant(at),
    value,
    trace_id: traceId,
    span_id: spanId,
  })
  return `${head.slice(0, -1)},"attributes":${attributes}}`
}
