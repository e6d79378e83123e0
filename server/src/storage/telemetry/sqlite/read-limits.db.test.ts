import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { span, start } from '../port/samples.ts'
import { log, measurement } from '../port/signal-samples.ts'
import { openToRead } from './database.ts'
import { openReadLimits, ReadStopped } from './read-limits.ts'
import { openReads, type Reads } from './reads.ts'
import { makeFolder, openIn } from './test-store.ts'

/*
 * Stopping the statements of a running read.
 */

const projectId = randomUUID()
const rows = 1000
const second = 1_000_000_000n
let folder: string

beforeAll(async () => {
  folder = makeFolder()
  const store = await openIn(folder)
  const indices = Array.from({ length: rows }, (_, i) => i)
  const spans = indices.map((i) =>
    span('a', {
      traceId: `t${i}`,
      startedAt: start + BigInt(i) * 3600n * second,
      endedAt: start + BigInt(i) * 3600n * second,
      sessionId: 's',
      model: 'm',
      name: `common ${i % 300}`,
      status: 'ERROR',
    }),
  )
  await store.record({ projectId, source: 'json', spans: store.encode(spans) })
  const records = indices.map((i) => log(`record ${i}`, { at: start + BigInt(i) }))
  await store.recordLogs(projectId, store.encodeLogs(records))
  const points = indices.map((i) => measurement({}, { unit: `u${i}` }))
  await store.recordMetrics(projectId, store.encodeMetrics(points))
  const long = indices.map((i) => measurement({ at: start + BigInt(i) }, { name: 'long' }))
  await store.recordMetrics(projectId, store.encodeMetrics(long))
  while (store.searchLagMs() > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await store.close()
})

const range = { from: 0n, to: start * 2n }
const ofTraces = (filters: object) => (reads: Reads) =>
  reads.tracePage(projectId, { limit: 5, filters })

describe.each<[string, (reads: Reads) => unknown]>([
  ['the newest traces', ofTraces({ source: 'otlp' })],
  ['live traces', ofTraces({ mode: 'live', source: 'otlp' })],
  ['traces in error', ofTraces({ status: 'ERROR', source: 'otlp' })],
  ['traces of a session', ofTraces({ sessionId: 's', source: 'otlp' })],
  ['traces of a model', ofTraces({ model: 'm', source: 'otlp' })],
  ['a search for a common word', ofTraces({ search: 'common', source: 'otlp' })],
  [
    'a histogram',
    (reads) =>
      reads.histogram(projectId, {
        filters: { source: 'otlp' },
        ...{ maxBuckets: 50, scanLimit: 10_000, now: start },
      }),
  ],
  [
    'stats by hours',
    (reads) =>
      reads.stats(projectId, { ...range, bucketNanos: 3600n * second, filters: {}, scanLimit: 1 }),
  ],
  [
    'stats by traces',
    (reads) =>
      reads.stats(projectId, { ...range, bucketNanos: 60n * second, filters: {}, scanLimit: 999 }),
  ],
  [
    'log records',
    (reads) =>
      reads.logPage(projectId, { limit: 5, scanLimit: 10_000, filters: { words: ['none'] } }),
  ],
  ['metrics', (reads) => reads.metricPage(projectId, { limit: 5000 })],
  [
    'series',
    (reads) =>
      reads.series(projectId, 'requests', {
        range: { ...range, stepNanos: second },
        ...{ attributes: [], maxSeries: 5000, maxPoints: 5000, maxExemplars: 1 },
      }),
  ],
  ['storage', (reads) => reads.storage(projectId)],
  ['priceable spans', (reads) => reads.priceable(projectId, { range, limit: 500 })],
  [
    'observed models',
    (reads) => reads.modelsUsed(projectId, { range, traceLimit: 5000, limit: 5 }),
  ],
  ['the number of traces', (reads) => reads.traceCount(projectId, { range, scanLimit: 5000 })],
])('%s', (_name, read) => {
  test('can be stopped while the statement runs, and read again', () => {
    const db = openToRead(join(folder, 'telemetry.sqlite'), join(folder, 'search.sqlite'))
    onTestFinished(() => db.close())
    let checksLeft = 3
    const reads = openReads(
      db,
      openReadLimits(db, () => checksLeft-- <= 0),
    )
    expect(() => read(reads)).toThrow(ReadStopped)
    expect(db.isTransaction).toBe(false)
    checksLeft = Number.POSITIVE_INFINITY
    expect(read(reads)).toBeDefined()
  })
})

test('the points of a single series can be stopped between each two', () => {
  const db = openToRead(join(folder, 'telemetry.sqlite'), join(folder, 'search.sqlite'))
  onTestFinished(() => db.close())
  let checks = 0
  const reads = openReads(
    db,
    openReadLimits(db, () => ++checks === rows),
  )
  const read = () =>
    reads.series(projectId, 'long', {
      range: { ...range, stepNanos: second },
      ...{ attributes: [], maxSeries: 1, maxPoints: 5000, maxExemplars: 1 },
    })
  expect(read).toThrow(ReadStopped)
  expect(read()).toMatchObject({ series: [{ steps: [{ count: null }] }] })
})
