import { describe, expect, test } from 'vitest'
import { sampleSpan } from '../../../test/sample-span.ts'
import { buildTree } from '../../spans/span-tree.ts'
import { digestOf, digestsOf, outputsDiffer } from './output-digests.ts'

describe('the digest of an output', () => {
  test.each<[string, unknown, unknown, boolean]>([
    ['equal texts', 'yes', 'yes', true],
    ['texts of equal length', 'yes', 'yea', false],
    ['members in another order', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    ['elements in another order', [1, 2], [2, 1], false],
    ['a text and a number', '1', 1, false],
    ['undefined and null', undefined, null, false],
  ])('compares %s', (_name, one, other, isSame) => {
    expect(digestOf(one) === digestOf(other)).toBe(isSame)
  })
})

test('outputs that were not loaded do not count as different', () => {
  const spans = (output: unknown) => [
    { ...sampleSpan('read', null), output },
    { ...sampleSpan('unread', null), output },
  ]
  const [a, b] = [spans('x'), spans('y')]
  const trees = [buildTree(a), buildTree(b)] as const
  const differ = outputsDiffer(...trees, digestsOf(a.slice(0, 1)), digestsOf(b))
  const row = { depth: 0, parent: -1 }
  expect(differ({ ...row, a: 0, b: 0 })).toBe(true)
  expect(differ({ ...row, a: 1, b: 1 })).toBe(false)
  expect(differ({ ...row, a: -1, b: 0 })).toBe(false)
})
