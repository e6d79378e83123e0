import { expect, test } from 'vitest'
import { toChunks } from './lines.ts'

test('chunks have the same bytes in the same order, and are few, whatever the size of the pieces', () => {
  for (const sizes of [
    [],
    [1],
    Array<number>(200_000).fill(3),
    [5, 400_000, 7, 262_144, 262_143, 1],
  ]) {
    const pieces = sizes.map((size, i) => Buffer.alloc(size, String(i)))
    const chunks = [...toChunks(pieces)]
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(chunks.length).toBeLessThanOrEqual(2 * Math.ceil(bytes / (256 * 1024)))
  }
})
