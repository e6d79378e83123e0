import { expect, test } from 'vitest'
import { compress, inflate } from './blocks.ts'

test('a block is the same whatever is known about its size, also what a damaged file has as its size', () => {
  const raw = Buffer.from('what a span has as its input '.repeat(10_000))
  const block = compress(raw)
  expect(block.isCompressed).toBe(true)
  const sizes = [0, 1, 20_000, raw.length - 1, raw.length, raw.length + 1, Number.MAX_SAFE_INTEGER]
  for (const leastBytes of sizes) expect(inflate(block, leastBytes).equals(raw)).toBe(true)
})
