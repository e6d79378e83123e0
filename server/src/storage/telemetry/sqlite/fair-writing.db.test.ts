import { expect, test } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import type { Recording } from '../port/ingest.ts'
import { span } from '../port/samples.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

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
  const replacing = Array.from({ length: 2000 }, () => toRecording('attacker', large.slice(0, 1)))
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
