import { expect, test } from 'vitest'
import { scaleToMemory } from './memory-budget.ts'

const gib = 1024 ** 3

test.each([
  ['a large machine', 64 * gib, 100],
  ['2 GiB', 2 * gib, 100],
  ['512 MiB', gib / 2, 15],
  ['128 MiB', gib / 8, 5],
])('an amount on %s', (_, memory, expected) => {
  expect(scaleToMemory(100, memory)).toBe(expected)
})
