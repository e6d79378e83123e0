import { slug } from '@assay/contract/fields.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeSlug, toSlug } from './slug.ts'

test.each([
  ['Checkout Agent', 'checkout-agent'],
  ['  Crème brûlée!  ', 'creme-brulee'],
  ['a__b--c', 'a-b-c'],
  ['日本語', 'project'],
  ['', 'project'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('the slug of %j is %j', (name, expected) => {
  expect(toSlug(name, 'project')).toBe(expected)
})

const names = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.stringMatching(/^[a-c -]{0,90}$/),
)

test('every name has a slug that the contract accepts and that is not taken', () => {
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 12 }), (all) => {
      const taken = new Set<string>()
      for (const name of all) {
        const free = freeSlug(toSlug(name, 'project'), taken)
        expect(slug.safeParse(free).success, free).toBe(true)
        expect(taken.has(free)).toBe(false)
        taken.add(free)
      }
    }),
  )
})

test('a taken slug gets the lowest number that is free', () => {
  expect(freeSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3')
  expect(freeSlug('a'.repeat(64), new Set(['a'.repeat(64)]))).toBe(`${'a'.repeat(62)}-2`)
})
