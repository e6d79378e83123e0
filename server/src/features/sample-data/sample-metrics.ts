import type {
  DecodedExemplar,
  DecodedMetric,
  DecodedPoint,
} from '../../conventions/decoded-signals.ts'
import { type DecodedSpan, noAttributes } from '../../conventions/decoded-span.ts'
import { millisBetween } from '../../domain/instant.ts'
import { sampleDays } from './planned-runs.ts'
import { randomFrom } from './random.ts'
import { instantAt, type Run, type SampleApp, type SampleTrace } from './sample-trace.ts'

/*
 * The metrics of the sample services: a gauge, a sum, and a histogram of the calls in the sample traces, with
 * exemplars that link to them. One point per hour; the gauge and the sum have one per minute for the last two hours.
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const hours = sampleDays * 24

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.25, 0.5, 1, 2, 4, 8, 16, 32]

interface AppMetrics {
  /** The measuring service. */
  readonly run: Pick<Run, 'service' | 'version' | 'environment'>
  readonly items: readonly DecodedMetric[]
}

export function sampleMetrics(
  nowMs: number,
  traces: readonly SampleTrace[],
): readonly AppMetrics[] {
  const byApp = Map.groupBy(traces, ({ run }) => run.service)
  return [...byApp].map(([app, ofApp]) => ({
    run: { service: app, version: '1.9.0', environment: 'production' },
    items: [queueLength(nowMs, app), runCount(nowMs, ofApp), ...durations(nowMs, ofApp)],
  }))
}

const nothing = { attributes: noAttributes, startedAt: 0n, flags: 0, value: 0 }

/** Ends now. */
function pointTimes(nowMs: number): readonly number[] {
  const hourly = Array.from({ length: hours - 2 }, (_, hour) => nowMs - (hours - 1 - hour) * hourMs)
  const lastMinutes = Array.from({ length: 120 }, (_, minute) => nowMs - (119 - minute) * minuteMs)
  return [...hourly, ...lastMinutes]
}

function queueLength(nowMs: number, app: SampleApp): DecodedMetric {
  const random = randomFrom(Number.parseInt(app.slice(0, 4), 36))
  return {
    name: 'agent.queue.length',
    description: 'Runs that wait for a worker',
    unit: '{run}',
    kind: 'gauge',
    temporality: 'unspecified',
    isMonotonic: false,
    points: pointTimes(nowMs).map((atMs) => ({
      ...nothing,
      at: instantAt(atMs),
      value: random.chance(0.05) ? random.whole(20, 60) : random.whole(0, 6),
      distribution: null,
      exemplars: [],
    })),
  }
}

function runCount(nowMs: number, traces: readonly SampleTrace[]): DecodedMetric {
  const startedAt = instantAt(nowMs - hours * hourMs)
  const isFailed = ({ spans }: SampleTrace) => spans.at(-1)?.statusCode === 2
  const points = (['ok', 'error'] as const).flatMap((outcome) => {
    const starts = traces
      .filter((trace) => isFailed(trace) === (outcome === 'error'))
      .map(({ run }) => run.startMs)
    return pointTimes(nowMs).map((atMs) => ({
      ...nothing,
      attributes: new Map([['outcome', outcome]]),
      startedAt,
      at: instantAt(atMs),
      value: starts.filter((startMs) => startMs <= atMs).length,
      distribution: null,
      exemplars: [],
    }))
  })
  return {
    name: 'agent.runs',
    description: 'Runs since the service started',
    unit: '{run}',
    kind: 'sum',
    temporality: 'cumulative',
    isMonotonic: true,
    points,
  }
}

/** Empty for a service that calls no model. */
function durations(nowMs: number, traces: readonly SampleTrace[]): readonly DecodedMetric[] {
  const calls = traces.flatMap(({ spans }) =>
    spans.filter(({ attributes }) => attributes.get('gen_ai.operation.name') === 'chat'),
  )
  const byModel = Map.groupBy(calls, ({ attributes }) => attributes.get('gen_ai.request.model'))
  const points = [...byModel].flatMap(([model = null, ofModel]) => {
    const byHour = Map.groupBy(ofModel, ({ endedAt }) => {
      const agoMs = nowMs - Number(endedAt / 1_000_000n)
      return Math.max(0, Math.floor(agoMs / hourMs))
    })
    return [...byHour].map(([hoursAgo, ofHour]) => ({
      ...durationPoint(ofHour),
      attributes: new Map([
        ['gen_ai.request.model', model],
        ['gen_ai.operation.name', 'chat'],
      ]),
      startedAt: instantAt(nowMs - (hoursAgo + 1) * hourMs),
      at: instantAt(nowMs - hoursAgo * hourMs),
    }))
  })
  const metric = {
    name: 'gen_ai.client.operation.duration',
    description: 'Duration of model calls',
    unit: 's',
    kind: 'histogram',
    temporality: 'delta',
    isMonotonic: false,
    points,
  } as const
  return points.length === 0 ? [] : [metric]
}

const exemplarsPerPoint = 3

function durationPoint(calls: readonly DecodedSpan[]): Omit<DecodedPoint, 'at'> {
  const seconds = calls.map(toSeconds)
  const counts = [...bounds, Infinity].map(
    (bound, place) =>
      seconds.filter((value) => value <= bound && value > (bounds[place - 1] ?? -1)).length,
  )
  return {
    ...nothing,
    distribution: {
      count: seconds.length,
      sum: seconds.reduce((sum, value) => sum + value, 0),
      min: Math.min(...seconds),
      max: Math.max(...seconds),
      bounds,
      counts,
      ...noExponents,
    },
    exemplars: calls.slice(0, exemplarsPerPoint).map(toExemplar),
  }
}

const noExponents = {
  scale: 0,
  zeroCount: 0,
  zeroThreshold: 0,
  positive: { offset: 0, counts: [] },
  negative: { offset: 0, counts: [] },
  quantiles: [],
}

function toSeconds({ startedAt, endedAt }: DecodedSpan): number {
  return millisBetween(startedAt, endedAt) / 1000
}

function toExemplar(call: DecodedSpan): DecodedExemplar {
  const { traceId, spanId, endedAt } = call
  return { at: endedAt, value: toSeconds(call), traceId, spanId, attributes: noAttributes }
}
