import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { body, span, start } from '../port/samples.ts'
import { score } from '../port/score-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import type { TraceFilters } from '../port/traces.ts'
import { makeFolder, openIn } from './test-store.ts'

/*
 * The reads that this engine ends at their scan limit. The port allows an engine to examine more.
 */

const folder = makeFolder()
const projectId = randomUUID()
const minute = 60_000_000_000n
const now = start + minute
const bounds = { maxBuckets: 9, now }
let store: TelemetryStore

beforeAll(async () => {
  store = await openIn(folder)
  // A search for fewer traces examines only those.
  const spans = Array.from({ length: 6000 }, (_, i) =>
    span('a', {
      traceId: `t${i}`,
      startedAt: start + BigInt(i),
      endedAt: start + BigInt(i),
      environment: i < 2500 ? 'early' : 'late',
      ...(i === 7 && { name: 'only run', service: 'rare' }),
      ...{ sessionId: 's', model: 'm', status: 'ERROR' },
      body: { ...body, attributes: '{"route":"a"}' as JsonText },
    }),
  )
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  const scores = ['t0', 't1', 't2'].map((traceId, i) =>
    score(traceId, { traceId, name: 'n', value: i / 2 }),
  )
  await store.recordScores(projectId, scores)
  while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

test.each<[string, TraceFilters]>([
  ['of the newest', {}],
  ['in error', { status: 'ERROR' }],
  ['of a session', { sessionId: 's' }],
  ['of a model', { model: 'm' }],
  ['with a common beginning of the id', { traceIdPrefix: 't' }],
  ['found by words', { search: 'run' }],
  ['found by words and model', { search: 'run', model: 'm' }],
  ['with an attribute', { attributes: [{ key: 'k', value: 'v' }] }],
])('ends a page of traces %s early', async (_of, more) => {
  const query = { limit: 2, filters: { ...more, source: 'otlp' as const }, scanLimit: 300 }
  const page = await store.listTraces(projectId, query)
  expect(page.traces).toEqual([])
  expect(page.coverageStart).toBeGreaterThan(start + 3000n)
})

test.each<[string, TraceFilters, string]>([
  ['a rare service', { service: 'rare' }, 't7'],
  ['a part of a rare name', { name: 'only' }, 't7'],
  ['an environment without new traces', { environment: 'early' }, 't2499'],
  ['an id by its beginning', { traceIdPrefix: 't24' }, 't2499'],
  ['such an environment and a common model', { model: 'm', environment: 'early' }, 't2499'],
])('finds traces of %s beyond the scan limit', async (_of, filters, traceId) => {
  const page = await store.listTraces(projectId, { limit: 2, filters, scanLimit: 300 })
  expect(page.traces[0]).toMatchObject({ traceId })
})

test.each<[string, TraceFilters, number]>([
  ['a filter', { minDurationMs: 0 }, 10],
  ['an indexed filter', { mode: 'live' }, 2],
  ['a session', { sessionId: 's' }, 10],
])('ends a histogram of %s early', async (_of, filters, scanLimit) => {
  const histogram = await store.readHistogram(projectId, { ...bounds, filters, scanLimit })
  expect(histogram.isComplete).toBe(false)
  expect(histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(10)
})

test('ends a histogram of a search for rare words early', async () => {
  const filters = { search: 'run', source: 'otlp' } as const
  const few = await store.readHistogram(projectId, { ...bounds, filters, scanLimit: 100 })
  expect(few).toMatchObject({ isComplete: false, buckets: [] })
  const all = await store.readHistogram(projectId, { ...bounds, filters, scanLimit: 60_000 })
  expect(all).toMatchObject({ isComplete: true, buckets: [] })
})

test('ends stats of short buckets early', async () => {
  const from = start - (start % minute)
  const query = { from, to: from + minute, bucketNanos: minute, scanLimit: 9 }
  const stats = await store.readStats(projectId, { ...query, filters: {} })
  expect(stats).toMatchObject({ isComplete: false, coverageStart: start + 5991n })
})

test('ends a page of scored traces and a count early', async () => {
  const filters = { source: 'otlp' } as const
  const query = { name: 'n', order: 'lowest-first', filters, limit: 9, scanLimit: 2 } as const
  const first = await store.listScoredTraces(projectId, query)
  expect(first).toEqual({ traces: [], next: expect.any(String), isComplete: false })
  const rest = await store.listScoredTraces(projectId, { ...query, after: first.next! })
  expect(rest).toEqual({ traces: [], next: undefined, isComplete: true })
  const range = { from: start, to: now }
  const counted = await store.countTraces(projectId, { range, scanLimit: 5999 })
  expect(counted).toEqual({ count: 5999, isComplete: false })
})

test('ends a histogram of an attribute early', async () => {
  const filters = { attributes: [{ key: 'route', value: 'a' }] }
  const histogram = await store.readHistogram(projectId, { ...bounds, filters, scanLimit: 100 })
  expect(histogram.isComplete).toBe(false)
  expect(histogram.buckets.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(20)
})
