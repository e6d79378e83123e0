import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleCosts } from './cost-scale.ts'

const usd = fc.double({ min: 1e-9, max: 1e6, noNaN: true })
const intervals = fc
  .array(fc.tuple(usd, usd), { minLength: 1, maxLength: 20 })
  .map((all) => all.map(([a, b]) => ({ costUsdP10: Math.min(a, b), costUsdP90: Math.max(a, b) })))

test('a scale has all intervals within it, in their order', () => {
  fc.assert(
    fc.property(intervals, (all) => {
      const { positionOf, ticks } = scaleCosts(all)!
      const ends = all.flatMap((one) => [one.costUsdP10, one.costUsdP90]).toSorted((a, b) => a - b)
      const positions = ends.map(positionOf)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      expect(positions[0]).toBeGreaterThanOrEqual(0)
      expect(positions.at(-1)).toBeLessThanOrEqual(100)
      expect([positionOf(ticks[0]!), positionOf(ticks.at(-1)!)]).toEqual([0, 100])
    }),
  )
})

test('free models are at the start of the scale', () => {
  const scale = scaleCosts([
    { costUsdP10: 0, costUsdP90: 0 },
    { costUsdP10: 0.02, costUsdP90: 0.5 },
  ])
  expect(scale?.ticks).toEqual([0.01, 0.1, 1])
  expect(scale?.positionOf(0)).toBe(0)
  expect(scale?.positionOf(0.1)).toBeCloseTo(50)
})

test('there is no scale without a cost above zero', () => {
  expect(scaleCosts([{ costUsdP10: null, costUsdP90: null }])).toBeUndefined()
  expect(scaleCosts([{ costUsdP10: 0, costUsdP90: 0 }])).toBeUndefined()
})
