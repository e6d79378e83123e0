import { randomUUID } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import type { Position } from '../port/position.ts'
import { labels, parseSpans, span, start } from '../port/samples.ts'
import { log, measurement } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { makeFolder, openIn } from './test-store.ts'

/*
 * Pages of the largest items end early, and the next pages have the others.
 */

const projectId = randomUUID()
let store: TelemetryStore

beforeAll(async () => {
  store = await openIn(makeFolder())
})
afterAll(() => store.close())

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: Position | undefined
}

/** All items, after checking the size of each page. */
async function readAll<Item>(
  read: (after: { after?: Position }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = []
  for (let after: Position | undefined; ; ) {
    const { items, next } = await read(after === undefined ? {} : { after })
    expect(JSON.stringify(items, withBigInts).length).toBeLessThan(1.1 * limits.pageBytes.value)
    expect(items).not.toEqual([])
    all.push(...items)
    if (next === undefined) return all
    after = next
  }
}

const withBigInts = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value

const record = (spanId: string, rest: Parameters<typeof span>[1], tags: readonly string[] = []) => {
  const spans = store.encode([span(spanId, rest)])
  return store.record({ projectId, source: 'json', spans, labels: labels({ tags }) })
}

test('a page of traces with as many and as long tags as possible', async () => {
  const tags = Array.from({ length: limits.tagsPerTrace.value }, (_, n) =>
    String(n).padEnd(limits.tagLength.value, 'x'),
  )
  const limit = limits.tracesPageMax.value
  for (let n = 0; n < limit; n += 1) await record('a', { traceId: `t${n}` }, tags)
  const traces = await readAll(async (after) => {
    const filters = { environment: 'prod' }
    const page = await store.listTraces(projectId, { limit, filters: {}, ...after })
    const filtered = await store.listTraces(projectId, { limit, filters, ...after })
    expect(filtered.traces.length).toBeLessThanOrEqual(page.traces.length)
    return { items: page.traces, next: page.next }
  })
  expect(new Set(traces.map(({ traceId }) => traceId)).size).toBe(limit)
  expect(traces).toHaveLength(limit)
})

test.each([true, false])('a page of spans with long texts, with bodies: %s', async (bodies) => {
  const count = 2000
  const statusMessage = 'x'.repeat(limits.statusMessageLength.value)
  const traceId = `spans ${bodies}`
  const spans = Array.from({ length: count }, (_, n) => span(`s${n}`, { traceId, statusMessage }))
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  const limit = limits.spansPage.value
  const found = await readAll(async (after) => {
    const page = (await store.readSpansJson(projectId, traceId, { limit, bodies, ...after }))!
    return { items: parseSpans(page), next: page.next }
  })
  expect(new Set(found.map(({ span_id }) => span_id)).size).toBe(count)
  expect(found).toHaveLength(count)
})

test('a page of long log records', async () => {
  const limit = limits.logsPageMax.value
  const records = Array.from({ length: limit }, (_, n) =>
    log(`${n} ${'x'.repeat(100_000)}`, { at: start + BigInt(n) }),
  )
  await store.recordLogs(projectId, store.encodeLogs(records))
  const found = await readAll(async (after) => {
    const query = { limit, scanLimit: 1000, filters: {}, ...after }
    const { logs, next } = await store.listLogs(projectId, query)
    return { items: logs, next }
  })
  expect(found).toHaveLength(limit)
})

test('the series of a metric with long attributes', async () => {
  const count = 50
  const points = Array.from({ length: count }, (_, n) => {
    const attributes = JSON.stringify({ n, long: 'x'.repeat(200_000) }) as JsonText
    return measurement({ at: start }, { name: 'large', attributes })
  })
  await store.recordMetrics(projectId, store.encodeMetrics(points))
  const found = await store.readSeries(projectId, 'large', {
    range: { from: start, to: start + 1000n, stepNanos: 1000n },
    ...{ attributes: [], maxSeries: 100, maxPoints: 1000, maxExemplars: 1 },
  })
  if (found === undefined || found === 'too-many-points') throw new Error('no series')
  expect(JSON.stringify(found.series, withBigInts).length).toBeLessThan(limits.pageBytes.value)
  expect(found.series.length).toBeGreaterThan(1)
  expect(found.total).toBe(count)
})

test('a metric with very many series is listed by its newest', async () => {
  const { value: most } = limits.metricSeriesCounted
  const points = Array.from({ length: most + 5 }, (_, n) => {
    const attributes = JSON.stringify({ n }) as JsonText
    return measurement({ at: start + BigInt(n) }, { name: 'many', attributes })
  })
  await store.recordMetrics(projectId, store.encodeMetrics(points))
  const { metrics } = await store.listMetrics(projectId, { limit: 100 })
  expect(metrics.find(({ name }) => name === 'many')).toMatchObject({
    seriesCount: most,
    lastSeenAt: start + BigInt(most + 4),
  })
})

test('stats by traces count every span of a large trace', async () => {
  const traceId = 'calls'
  const minute = 60_000_000_000n
  const startedAt = start + 1000n * minute
  const call = { traceId, startedAt, endedAt: startedAt, model: 'm', tokensIn: 1, costUsd: 1 }
  const spans = Array.from({ length: 3000 }, (_, n) => span(`s${n}`, call))
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  const from = startedAt - (startedAt % minute)
  const stats = await store.readStats(projectId, {
    ...{ from, to: from + minute, bucketNanos: minute, scanLimit: 10, filters: {} },
  })
  expect(stats.byModel).toMatchObject([{ value: 'm', aggregates: { count: 3000, costUsd: 3000 } }])
})
