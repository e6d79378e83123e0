import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placePoints, pointSize } from './place-points.ts'

const size = { width: 300, height: 240 }

test('a label is at the right of its point, or where there is room', () => {
  const at = (label: string, x: number, y: number) => ({ label, x, y })
  const points = [at('Small', 20, 60), at('Mini', 50, 60), at('Large', 280, 60)]
  const placed = placePoints(points, size)
  expect(placed.map(({ label, side }) => [label, side])).toEqual([
    ['Small', 'above'],
    ['Mini', 'right'],
    ['Large', 'left'],
  ])
})

test('a label without room is left out', () => {
  const point = {
    label: 'A model with a name that is longer than the chart is wide',
    x: 150,
    y: 99,
  }
  expect(placePoints([point], size)[0]?.side).toBeUndefined()
})

test('no point covers another one, however close their values are', () => {
  const points = fc.array(
    fc.record({
      label: fc.constantFrom('Small', 'Large'),
      x: fc.integer({ min: 0, max: size.width }),
      y: fc.integer({ min: 0, max: size.height }),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(points, (all) => {
      const placed = placePoints(all, size)
      for (const [at, a] of placed.entries()) {
        for (const b of placed.slice(at + 1)) {
          expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(
            pointSize,
          )
        }
      }
    }),
    { numRuns: 200 },
  )
})
