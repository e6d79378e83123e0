import { expect, test } from 'vitest'
import { Unavailable } from '../../../platform/failure.ts'
import { span } from '../port/samples.ts'
import { folderOfTest, storeOfTest } from './test-store.ts'

test('many batches that replace spans of a large trace do not delay the batch of another project', async () => {
  const store = await storeOfTest(folderOfTest())
  const large = Array.from({ length: 20_000 }, (_, n) => span(`${n}`, { traceId: 'large' }))
  const record = (projectId: string, spans: typeof large) =>
    store.record({ projectId, source: 'otlp', spans: store.encode(spans) })
  await record('attacker', large)

  // Cheap at first, so that nothing is known about their cost.
  await Promise.all(large.slice(0, 60).map((_, n) => record('attacker', [span(`${n}`)])))
  let replaced = 0
  const attack = Array.from({ length: 200 }, async () => {
    await record('attacker', large.slice(0, 1))
    replaced += 1
  })
  await record('victim', [span('one')])
  // A transaction takes a limited time, in which many cheap batches fit.
  expect(replaced).toBeLessThan(attack.length / 2)
  await Promise.all(attack)
})

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
