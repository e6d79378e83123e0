import fc from 'fast-check'
import type { JsonText } from '../src/domain/json-text.ts'
import type { LogRecord } from '../src/domain/log-record.ts'
import type { Measurement } from '../src/domain/metric.ts'
import type { Span } from '../src/domain/span.ts'
import { anyBody, anySpan, labels, span, start } from '../src/storage/telemetry/port/samples.ts'
import { score } from '../src/storage/telemetry/port/score-samples.ts'
import {
  contentLog,
  distribution,
  log,
  measurement,
  second,
} from '../src/storage/telemetry/port/signal-samples.ts'
import type { TelemetryStore } from '../src/storage/telemetry/port/store.ts'

/*
 * Everything that a project can store, for tests that move it, and all of it as the port returns it.
 */

const day = 86_400n * second

export interface FillSettings {
  readonly projectId: string
  readonly traces: number
  readonly spansPerTrace: number
  readonly seed: number
}

/** Spans of both sources, labels, changed tags, re-priced spans, scores, log records with contents, and metrics. */
export async function fillProject(store: TelemetryStore, settings: FillSettings): Promise<void> {
  const { projectId, traces } = settings
  for (let index = 0; index < traces; index += 1) {
    const spans = spansOf(settings, index)
    const source = index % 3 === 0 ? 'otlp' : 'json'
    const given =
      index % 3 === 1
        ? {
            labels: labels({
              rootName: `run ${index}`,
              tags: ['a', 'ü'],
              userId: 'u',
              mode: 'live',
            }),
          }
        : {}
    const key = index < 3 ? { idempotency: { key: `key ${index}`, note: `note ${index}` } } : {}
    await store.record({
      ...{ projectId, source, spans: store.encode(spans.slice(1)), ...given, ...key },
    })
    // From another sender.
    await store.record({ projectId, source: 'otlp', spans: store.encode(spans.slice(0, 1)) })
  }
  const ids = Array.from({ length: Math.min(traces, 5) }, (_, index) => `trace ${index}`)
  await store.changeTags(projectId, ids, { added: ['added', 'z'], removed: ['a'] })
  await store.changeTags(projectId, ids.slice(0, 2), { added: ['b'], removed: ['added'] })
  await store.recordScores(
    projectId,
    ids.flatMap((traceId, index) => [
      score('whole', { traceId, value: index / 7, createdAt: start + BigInt(index) }),
      score('part', { traceId, spanId: 'span 1', status: 'error', reasoning: 'ß', runId: 'run' }),
      score('person', {
        traceId,
        source: 'person',
        authorId: 'ana',
        evaluatorId: 'e',
        costUsd: 0.1,
      }),
    ]),
  )
  await store.recordLogs(projectId, store.encodeLogs(logs))
  await store.recordMetrics(projectId, store.encodeMetrics(metrics))
  await repriceSome(store, projectId)
}

function spansOf({ spansPerTrace, seed }: FillSettings, index: number): readonly Span[] {
  const drawn = fc.sample(fc.tuple(anySpan, anyBody), {
    numRuns: spansPerTrace,
    seed: seed + index,
  })
  return drawn.map(([each, body], position) => {
    const startedAt = start - BigInt(index % 5) * day + BigInt(position)
    const ended = { startedAt, endedAt: startedAt + BigInt(index) * 1_000_000n }
    const of = { ...each, ...ended, traceId: `trace ${index}`, spanId: `span ${position}` }
    const isEmpty = position === 1
    return isEmpty ? { ...of, body: span('').body } : { ...of, body }
  })
}

const logs: readonly LogRecord[] = [
  log('first'),
  log('of a trace', { traceId: 'trace 0', spanId: 'span 0', at: start + second, severity: 17 }),
  log('other service', { service: 'other', resource: '{}' as JsonText, observedAt: null }),
  log('event', { eventName: 'e', at: start - 3n * day, attributes: '{"a":1}' as JsonText }),
  contentLog('span 1', 'question', 'answer', { traceId: 'trace 0' }),
  contentLog('span 1', 'later', null, { traceId: 'trace 1', at: start + 5n }),
]

const metrics: readonly Measurement[] = [
  measurement(),
  measurement({ at: start + second, value: 0.1 + 0.2 }),
  measurement({ at: start - 40n * day, startedAt: null, value: -0.5 }, { kind: 'gauge', unit: '' }),
  measurement(
    {
      value: null,
      distribution: distribution({ count: 3, sum: 1.5, bounds: [1, 2], counts: [1, 1, 1] }),
      exemplars: [
        {
          at: start,
          value: 1.5,
          traceId: 'trace 0',
          spanId: 'span 0',
          attributes: '{}' as JsonText,
        },
      ],
    },
    { name: 'latency', kind: 'histogram' },
  ),
  measurement(
    { value: null, distribution: distribution({ count: 1, sum: 2, quantiles: [[0.5, 2]] }) },
    { name: 'summary', kind: 'summary', temporality: 'unspecified' },
  ),
]

async function repriceSome(store: TelemetryStore, projectId: string): Promise<void> {
  const range = { from: start - 10n * day, to: start + day }
  const { spans } = await store.listPriceable(projectId, { range, limit: 5 })
  await store.reprice(
    projectId,
    spans.map(({ traceId, spanId, version }) => ({
      ...{ traceId, spanId, version },
      price: {
        ...{ computedCostUsd: 1 / 3, priceSource: 'list:m', priceDate: '2026-01-31' },
        unpricedReason: null,
      },
    })),
  )
}

/** Everything of a project, without positions and estimates of an engine. */
export async function readProject(store: TelemetryStore, projectId: string) {
  const { traces, total } = await store.listTraces(projectId, { limit: 10_000, filters: {} })
  const contents: unknown[] = []
  for (const { traceId } of traces) {
    const query = { limit: 10_000, bodies: true }
    const page = await store.readSpansJson(projectId, traceId, query)
    const { scores } = await store.listScores(projectId, traceId, { limit: 100 })
    contents.push({ traceId, scores, spans: Buffer.from(page?.json ?? []).toString() })
  }
  const settled = await store.listSettledTraces(projectId, {
    ...{ filters: {}, receivedSince: 0n, until: 2n ** 62n, scanLimit: 10_000, countLimit: 0 },
  })
  const received = await store.listSettledTraces(projectId, {
    ...{ filters: {}, until: 2n ** 62n, scanLimit: 10_000, countLimit: 0 },
    // Some arrived before.
    receivedSince: traces.find(({ traceId }) => traceId === 'trace 6')?.updatedAt ?? 0n,
  })
  const range = { from: start - 50n * day, to: start + 10n * day }
  const series = []
  const heads = await store.listMetrics(projectId, { limit: 100 })
  for (const { name } of heads.metrics) {
    series.push(
      await store.readSeries(projectId, name, {
        range: { ...range, stepNanos: 60n * day },
        ...{ attributes: [], maxSeries: 100, maxPoints: 1000, maxExemplars: 10 },
      }),
    )
  }
  const listed = await store.listLogs(projectId, { limit: 1000, scanLimit: 1000, filters: {} })
  const storage = await store.readStorage(projectId)
  const found = await store.listTraces(projectId, { limit: 1000, filters: { tags: ['z'] } })
  return {
    ...{ traces, total, contents, metrics: heads.metrics, series, logs: listed.logs },
    received: received.traces.map(({ trace }) => trace.traceId).toSorted(),
    settled: settled.traces
      .map(({ trace, settledAt }) => `${settledAt} ${trace.traceId}`)
      .toSorted(),
    tagged: found.traces.map(({ traceId }) => traceId),
    counts: [storage.traces, storage.spans, storage.metricPoints, storage.logRecords].map(
      ({ count }) => count,
    ),
  }
}
