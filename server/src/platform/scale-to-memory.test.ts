import { limits } from '@assay/contract/limits.ts'
import { expect, test } from 'vitest'
import { jsonBytesMax, scaleToMemory } from './scale-to-memory.ts'

const gib = 1024 ** 3

test.each([
  ['a large machine', 64 * gib, 100],
  ['2 GiB', 2 * gib, 100],
  ['512 MiB', gib / 2, 15],
  ['128 MiB', gib / 8, 5],
])('an amount on %s', (_, memory, expected) => {
  expect(scaleToMemory(100, memory)).toBe(expected)
})

test('a JSON body may be as large as declared with enough memory, and has 4 MiB with any', () => {
  const mib = 1024 ** 2
  const { ingestBodyBytes, jsonBodyBytes, anonymousBodyBytes } = limits
  expect(jsonBytesMax(ingestBodyBytes.value, 2 * gib)).toBe(ingestBodyBytes.value)
  expect(jsonBytesMax(ingestBodyBytes.value, gib)).toBeCloseTo(13.7 * mib, -6)
  expect(jsonBytesMax(ingestBodyBytes.value, gib / 8)).toBe(4 * mib)
  for (const { value } of [jsonBodyBytes, anonymousBodyBytes]) {
    expect(jsonBytesMax(value, gib / 8)).toBe(value)
  }
})
