import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { isOutputDifferent, toDigest, toDigests } from './output-digests.ts'

describe('the digest of an output', () => {
  test.each<[string, unknown, unknown, boolean]>([
    ['equal texts', 'yes', 'yes', true],
    ['texts of equal length', 'yes', 'yea', false],
    ['members in another order', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    ['elements in another order', [1, 2], [2, 1], false],
    ['a text and a number', '1', 1, false],
    ['no output and null', undefined, null, true],
  ])('compares %s', (_name, one, other, isSame) => {
    expect(toDigest(one) === toDigest(other)).toBe(isSame)
  })
})

test('outputs that were not loaded do not count as different', () => {
  const spanOf = (output: unknown) => ({ ...sampleSpan('ask', null), output })
  const [a, b] = [spanOf('x'), spanOf('y')]
  const [ofA, ofB] = [new Map(toDigests([a])), new Map(toDigests([b]))]
  expect(isOutputDifferent({ a, b }, ofA, ofB)).toBe(true)
  expect(isOutputDifferent({ a, b }, new Map(), ofB)).toBe(false)
  expect(isOutputDifferent({ a: undefined, b }, ofA, ofB)).toBe(false)
})
