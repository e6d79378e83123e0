import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Trace } from '../../../domain/span.ts'
import { openAttributeComparison } from './attribute-comparison.ts'

const spans = 20
const traceId = 'trace'

test('other work runs between spans with large attributes', async () => {
  const values = Array.from({ length: 200_000 }, (_, n) => n)
  const attributes = JSON.stringify({ key: 'other', values })
  const connection = {
    rows: async () => [[traceId, spans * attributes.length]],
    async *stream() {
      yield Array.from({ length: spans }, () => [traceId, attributes, '{}'])
    },
  }
  const filters = [{ key: 'key', value: 'value' }]
  const comparison = openAttributeComparison(connection, 'project', filters)
  let isDone = false
  let turns = 0
  const comparing = comparison.compare([{ traceId } as Trace], {}).finally(() => (isDone = true))
  for (; !isDone; turns += 1) await nextTurn()
  expect((await comparing).matches).toEqual([])
  expect(turns).toBeGreaterThan(spans / 2)
})
