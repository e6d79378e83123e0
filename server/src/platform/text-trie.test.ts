import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextTrie } from './text-trie.ts'

const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength, maxLength })

describe('a text trie', () => {
  test('finds every occurrence of every text, in the order of their ends', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text(1, 4), { maxLength: 6 }), text(0, 30), (texts, searched) => {
        const trie = new TextTrie()
        const textOf = new Map(texts.map((one) => [trie.add(one), one]))
        trie.link()
        const found: [string | undefined, number][] = []
        let lastEnd = 0
        trie.forEachOccurrence(searched, (state, start, end) => {
          expect(end).toBeGreaterThanOrEqual(lastEnd)
          expect(searched.slice(start, end)).toBe(textOf.get(state))
          found.push([textOf.get(state), start])
          lastEnd = end
        })
        const expected = texts.flatMap((one) =>
          searched
            .split('')
            .map((_, at) => [one, at] as const)
            .filter(([, at]) => searched.startsWith(one, at)),
        )
        expect(new Set(found.map(String))).toEqual(new Set(expected.map(String)))
        expect(found).toHaveLength(expected.length)
      }),
      { numRuns: 2000 },
    )
  })
})
