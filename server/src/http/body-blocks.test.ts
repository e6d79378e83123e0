import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBodyBlocks } from './body-blocks.ts'

const lengths = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 12 })

test('a body is the same however it is cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.boolean(), async (chunkLengths, isDeclared) => {
      const total = chunkLengths.reduce((sum, one) => sum + one, 0)
      const body = Uint8Array.from({ length: total }, (_, at) => (at * 31 + (at >> 8)) & 0xff)
      const blocks = openBodyBlocks(isDeclared ? total : total + 5_000_000)
      let from = 0
      for (const length of chunkLengths) {
        blocks.add(body.subarray(from, from + length))
        from += length
      }
      expect(blocks.size()).toBe(total)
      expect(Buffer.compare(await blocks.join(), body)).toBe(0)
    }),
    { numRuns: 30 },
  )
})

test('many bodies of which one byte has arrived take little, whatever size was declared', () => {
  const before = process.memoryUsage().arrayBuffers
  const bodies = Array.from({ length: 1000 }, () => {
    const blocks = openBodyBlocks(100_000)
    blocks.add(Uint8Array.of(1))
    return blocks
  })
  const taken = process.memoryUsage().arrayBuffers - before
  expect(bodies.map((blocks) => blocks.size())).toEqual(bodies.map(() => 1))
  expect(taken).toBeLessThan(4 * 1024 * 1024)
})

test('other requests have their turn while a large body is joined', async () => {
  const blocks = openBodyBlocks(32 * 1024 * 1024)
  for (let n = 0; n < 16; n += 1) blocks.add(new Uint8Array(1024 * 1024).fill(n))
  let turns = 0
  let isJoined = false
  const joined = blocks.join().finally(() => {
    isJoined = true
  })
  for (; !isJoined; turns += 1) await nextTurn()
  expect((await joined).byteLength).toBe(16 * 1024 * 1024)
  expect(turns).toBeGreaterThan(10)
})
