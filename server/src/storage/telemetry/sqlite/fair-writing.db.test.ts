import { expect, test } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import type { Recording } from '../port/ingest.ts'
import { span, start } from '../port/samples.ts'
import { log, measurement } from '../port/signal-samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

const many = <Item>(make: (n: number) => Item) => Array.from({ length: 20_000 }, (_, n) => make(n))

test('many batches that replace spans of a large trace do not delay the batch of another project', async () => {
  const store = await storeOfTest(folderOfTest())
  const large = Array.from({ length: 20_000 }, (_, n) => span(`${n}`, { traceId: 'large' }))
  const toRecording = (projectId: string, spans: typeof large): Recording => ({
    ...{ projectId, source: 'otlp', spans: store.encode(spans) },
  })
  await store.record(toRecording('attacker', large))
  // Cheap at first, so that nothing is known about their cost.
  const cheap = large.slice(0, 60).map((_, n) => toRecording('attacker', [span(`${n}`)]))
  await Promise.all(cheap.map((recording) => store.record(recording)))

  // Encoded in advance, so that they are all sent before the thread has stored many.
  const replacing = Array.from({ length: 60 }, () => toRecording('attacker', large.slice(0, 1)))
  const victim = toRecording('victim', [span('one')])
  let replaced = 0
  const attack = replacing.map(async (recording) => {
    await store.record(recording)
    replaced += 1
  })
  await store.record(victim)
  expect(replaced).toBeLessThan(attack.length / 2)
  await Promise.all(attack)
}, 120_000)

test('a project whose batches wait is refused beyond its share, and nothing of the refused batch is stored', async () => {
  const store = await storeOfTest(folderOfTest())
  const record = async (projectId: string, spanId: string) => {
    const spans = store.encode([span(spanId)])
    return await store.record({
      projectId,
      source: 'otlp',
      spans: { ...spans, sizeBytes: 2 ** 25 },
    })
  }
  const waiting = [record('busy', 'first'), record('busy', 'second')]
  await expect(record('busy', 'third')).rejects.toThrow(Unavailable)
  await record('quiet', 'one')
  await Promise.all(waiting)
  expect((await store.findTrace('busy', 'trace'))?.spanCount).toBe(2)
})

test('an organization whose batches wait is refused beyond its share, however many projects it has', async () => {
  const store = await storeOfTest(folderOfTest())
  const record = async (organizationId: string, projectId: string) => {
    const spans = { ...store.encode([span('a')]), sizeBytes: 2 ** 26 }
    const recording = { projectId, organizationId, source: 'otlp', spans } as const
    return await store.record(recording)
  }
  const waiting = [record('busy', 'a'), record('busy', 'b')]
  await expect(record('busy', 'c')).rejects.toThrow(Unavailable)
  await record('quiet', 'd')
  await Promise.all(waiting)
  expect(await store.findTrace('c', 'trace')).toBeUndefined()
})

test('an organization has the turns of one, however many projects it has', async () => {
  const store = await storeOfTest(folderOfTest())
  const toRecording = (projectId: string, organizationId: string, n: number): Recording => ({
    ...{ projectId, organizationId, source: 'otlp' },
    spans: store.encode(
      Array.from({ length: 2000 }, (_, at) => span(`${at}`, { traceId: `${n}` })),
    ),
  })
  const attack = Array.from({ length: 60 }, (_, n) => toRecording(`p${n}`, 'attacker', n))
  const victim = Array.from({ length: 6 }, (_, n) => toRecording('victim', 'other', n))
  const order: string[] = []
  const send = async (recording: Recording) => {
    await store.record(recording)
    order.push(recording.organizationId ?? '')
  }
  await Promise.all([...attack, ...victim].map(send))
  const before = order.slice(0, order.lastIndexOf('other'))
  expect(before.filter((organizationId) => organizationId === 'attacker').length).toBeLessThan(30)
}, 120_000)

test.each<[string, (store: TelemetryStore) => () => Promise<unknown>]>([
  [
    'spans',
    (store) => {
      const spans = store.encode(many((n) => span(`${n}`, { traceId: `${n % 7}` })))
      return () => store.record({ projectId: 'attacker', source: 'otlp', spans })
    },
  ],
  [
    'log records',
    (store) => {
      const logs = store.encodeLogs(many((n) => log(`${n}`)))
      return () => store.recordLogs('attacker', logs)
    },
  ],
  [
    'metric points',
    (store) => {
      const points = store.encodeMetrics(many((n) => measurement({ at: start + BigInt(n) })))
      return () => store.recordMetrics('attacker', points)
    },
  ],
])('a large batch of %s does not delay the batch of another project', async (_what, encode) => {
  const store = await storeOfTest(folderOfTest())
  const victim = { projectId: 'victim', source: 'otlp', spans: store.encode([span('a')]) } as const
  const record = encode(store)
  const order: string[] = []
  const attack = record().then(() => order.push('attacker'))
  await store.record(victim).then(() => order.push('victim'))
  await attack
  expect(order).toEqual(['victim', 'attacker'])
  const { spans, logRecords, metricPoints } = await store.readStorage('attacker')
  expect(spans.count + logRecords.count + metricPoints.count).toBe(20_000)
})

test('a large batch resolves to its traces as they are after its last part', async () => {
  const store = await storeOfTest(folderOfTest())
  const spans = [...many((n) => span(`${n}`)), ...many((n) => span(`${n}`, { traceId: 'other' }))]
  const recorded = await store.record({
    ...{ projectId: 'p', source: 'otlp', spans: store.encode(spans) },
  })
  const whole = { spanCount: 20_000, status: 'OK' }
  expect(recorded).toEqual({
    traces: ['trace', 'other'].map((traceId) => ({ traceId, ...whole })),
    ...{ repeated: false, note: '', refusedSpans: 0 },
  })
})

test('a trace with many log records is moved without a delay of the batch of another project', async () => {
  const store = await storeOfTest(folderOfTest())
  const count = 50_000
  await store.record({ projectId: 'from', source: 'otlp', spans: store.encode([span('a')]) })
  // The target has some of them already.
  const records = Array.from({ length: count }, (_, n) => log(`${n}`, { traceId: 'trace' }))
  await store.recordLogs('from', store.encodeLogs(records))
  await store.recordLogs('to', store.encodeLogs(records.slice(1000, 3000)))
  const victim = { projectId: 'victim', source: 'otlp', spans: store.encode([span('a')]) } as const
  const order: string[] = []
  const attack = store
    .moveTraces('to', 'from', ['trace'])
    .then((outcomes) => order.push(...outcomes))
  await store.record(victim).then(() => order.push('victim'))
  await attack
  expect(order).toEqual(['victim', 'adopted'])
  const counts = await Promise.all(
    ['from', 'to'].map(async (projectId) => {
      const { spans, logRecords } = await store.readStorage(projectId)
      return [spans.count, logRecords.count]
    }),
  )
  expect(counts).toEqual([
    [0, 0],
    [1, count],
  ])
})

test('removing a small trace does not wait for the rows of a large one of another project', async () => {
  const store = await storeOfTest(folderOfTest())
  const record = (projectId: string, spans: Parameters<TelemetryStore['encode']>[0]) =>
    store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
  await record(
    'attacker',
    many((n) => span(`${n}`)),
  )
  await record('victim', [span('a')])
  const order: string[] = []
  const attack = store.removeTrace('attacker', 'trace').then(() => order.push('attacker'))
  await store.removeTrace('victim', 'trace').then(() => order.push('victim'))
  await attack
  expect(order).toEqual(['victim', 'attacker'])
  expect((await store.readStorage('attacker')).spans.count).toBe(0)
})
