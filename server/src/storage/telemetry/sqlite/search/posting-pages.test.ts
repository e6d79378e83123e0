import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareBytes } from './posting-lists.ts'
import { readPage, readPostings, writePages } from './posting-pages.ts'

const docRange = 3000
const docs = fc.oneof(
  fc.uniqueArray(fc.nat(docRange - 1), { minLength: 1, maxLength: 30 }),
  fc.nat(docRange - 1).map((last) => Array.from({ length: last + 1 }, (_, doc) => doc)),
)
const lists = fc.dictionary(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', 'ü', '天'), minLength: 1, maxLength: 64 }),
  docs.map((found) => found.toSorted((a, b) => a - b)),
  { maxKeys: 60 },
)

function toPages(all: Readonly<Record<string, readonly number[]>>): Uint8Array[] {
  const pages: Uint8Array[] = []
  const writer = writePages(docRange, (first, page) => {
    const reader = readPage(page)
    reader.next()
    expect(Buffer.from(reader.word)).toEqual(Buffer.from(first))
    pages.push(page)
  })
  const words = Object.keys(all).map((word) => Buffer.from(word))
  for (const word of words.toSorted(compareBytes)) {
    writer.add(word, Int32Array.from(all[word.toString()]!))
  }
  writer.end()
  return pages
}

test('every word on the pages has its docs, and a prefix has those of all its words', () => {
  fc.assert(
    fc.property(lists, fc.constantFrom('a', 'b1', '天', 'zz'), (all, prefix) => {
      const pages = toPages(all)
      const found = (word: string, isPrefix: boolean) => {
        const docIds = new Set<number>()
        readPostings(pages, Buffer.from(word), isPrefix, (doc) => docIds.add(doc))
        return [...docIds].toSorted((a, b) => a - b)
      }
      for (const [word, own] of Object.entries(all)) expect(found(word, false)).toEqual(own)
      const together = Object.entries(all).flatMap(([word, own]) =>
        word.startsWith(prefix) ? own : [],
      )
      expect(found(prefix, true)).toEqual([...new Set(together)].toSorted((a, b) => a - b))
      expect(found(prefix, false)).toEqual(all[prefix] ?? [])
    }),
    { numRuns: 50 },
  )
})
