import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonText } from '../../../domain/json-text.ts'
import { body, span } from '../port/samples.ts'
import { openAttributeReader } from './attribute-reader.ts'
import { openToRead } from './database.ts'
import { openReadLimits } from './read-limits.ts'
import { makeFolder, openIn } from './test-store.ts'

const folder = makeFolder()

beforeAll(async () => {
  const store = await openIn(folder)
  const large = { ...body, output: JSON.stringify('x'.repeat(100_000)) as JsonText }
  const wanted = { ...large, attributes: '{"k":"v"}' as JsonText }
  const spans = [
    span('a', { body: large }),
    span('b', { body: large }),
    span('c', { body: wanted }),
  ]
  await store.record({ projectId: randomUUID(), source: 'json', spans: store.encode(spans) })
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Whether the only trace is found when so many bytes may be read, also after other comparisons; whether they are used up. */
function compare(bytesMax: number, isStopped = false, before = 0) {
  const db = openToRead(join(folder, 'telemetry.sqlite'))
  try {
    const reader = openAttributeReader(
      db,
      openReadLimits(db, () => isStopped),
      bytesMax,
    )
    const comparison = reader.begin([{ key: 'k', value: 'v' }])
    for (let at = 0; at < before; at += 1) comparison.matches([1] as never)
    return { isFound: comparison.matches([1] as never), isSpent: comparison.isSpent() }
  } finally {
    db.close()
  }
}

test('attributes are compared until enough bytes were read, also within one trace', () => {
  expect(compare(1_000_000)).toEqual({ isFound: true, isSpent: false })
  expect(compare(150_000)).toEqual({ isFound: false, isSpent: true })
})

test('a trace that is begun is compared whole, so that its match is not lost', () => {
  expect(compare(350_000, false, 1)).toEqual({ isFound: true, isSpent: true })
})

test('a comparison of attributes ends when its reader leaves', () => {
  expect(() => compare(1_000_000, true)).toThrow('The read was stopped.')
})
