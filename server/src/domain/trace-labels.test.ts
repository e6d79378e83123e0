import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TraceLabels } from './span.ts'
import { applyTagChanges, changeTags, mergeLabels } from './trace-labels.ts'

const word = fc.constantFrom(null, 'x', 'y')
const anyLabels: fc.Arbitrary<TraceLabels> = fc.record({
  rootName: word,
  tags: fc.constantFrom([], ['a'], ['b', 'c']),
  environment: word,
  mode: fc.constantFrom(null, 'live' as const, 'simulation' as const),
  sessionId: word,
  userId: word,
})

test('the last batch sets name and tags, and the last batch that has it sets each other label', () => {
  fc.assert(
    fc.property(fc.array(anyLabels, { minLength: 1 }), (batches) => {
      const merged = batches.reduce<TraceLabels | null>(mergeLabels, null)
      const last = batches.at(-1)
      const lastOf = (key: 'environment' | 'mode' | 'sessionId' | 'userId') =>
        batches.findLast((batch) => batch[key] !== null)?.[key] ?? null
      expect(merged).toEqual({
        rootName: last?.rootName,
        tags: last?.tags,
        environment: lastOf('environment'),
        mode: lastOf('mode'),
        sessionId: lastOf('sessionId'),
        userId: lastOf('userId'),
      })
    }),
  )
})

test('the last change of a tag by a person counts, and later batches keep it', () => {
  const change = fc.record({
    added: fc.subarray(['a', 'b', 'c']),
    removed: fc.subarray(['a', 'b', 'c']),
  })
  fc.assert(
    fc.property(fc.array(change), anyLabels, (changes, batch) => {
      const changed = changes.reduce<TraceLabels | null>(changeTags, null)
      const { tagChanges, tags } = mergeLabels(changed, batch)
      const present = (tag: string) => {
        const last = changes.findLast(({ added, removed }) => [...added, ...removed].includes(tag))
        return last === undefined ? batch.tags.includes(tag) : last.added.includes(tag)
      }
      const expected = ['a', 'b', 'c'].filter(present)
      expect(applyTagChanges(tags, tagChanges).toSorted()).toEqual(expected)
    }),
  )
})
