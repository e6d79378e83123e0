import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitContext, leftOutNotice } from './fit-context.ts'

describe('the context of a model', () => {
  test.each([
    ['all that fits', { window: 1000, requiredLength: 250, earlierLengths: [1000, 1000] }, 2],
    ['the newest', { window: 1000, requiredLength: 251, earlierLengths: [1000, 1000] }, 1],
    [
      'none after one that is too long',
      { window: 1000, requiredLength: 0, earlierLengths: [9999, 1] },
      0,
    ],
    ['nothing earlier', { window: 1000, requiredLength: 2250, earlierLengths: [1] }, 0],
    ['an empty conversation', { window: 1000, requiredLength: 1, earlierLengths: [] }, 0],
  ])('has %s', (_case, size, count) => {
    expect(fitContext(size)).toBe(count)
  })

  test('is undefined if not even the message fits', () => {
    expect(fitContext({ window: 1000, requiredLength: 2251, earlierLengths: [] })).toBeUndefined()
  })

  test('never exceeds the window, and leaves out nothing that would fit', () => {
    const sizes = fc.record({
      window: fc.integer({ min: 100, max: 200_000 }),
      requiredLength: fc.nat(10_000),
      earlierLengths: fc.array(fc.nat(50_000), { maxLength: 50 }),
    })
    const lengthOf = (lengths: readonly number[]) => lengths.reduce((sum, one) => sum + one, 0)
    fc.assert(
      fc.property(sizes, (size) => {
        const count = fitContext(size)
        if (count === undefined) return
        const { window, requiredLength, earlierLengths } = size
        const total = requiredLength + lengthOf(earlierLengths.slice(0, count))
        expect(total).toBeLessThanOrEqual(3 * window)
        const next = earlierLengths[count]
        if (next !== undefined) {
          expect(total + next).toBeGreaterThan(3 * (window - Math.min(16_000, window / 4)))
        }
      }),
    )
  })

  test('reports how many messages were left out', () => {
    expect(leftOutNotice(1)).toMatch(/^The oldest message is not/)
    expect(leftOutNotice(12)).toMatch(/^The 12 oldest messages are not/)
  })
})
