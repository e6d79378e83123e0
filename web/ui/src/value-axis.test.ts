import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AxisScale,
  costAxis,
  countAxis,
  durationAxis,
  shareAxis,
  type ValueAxis,
} from './value-axis.ts'

function labelsOf({ max, interval, format }: ValueAxis): readonly string[] {
  const count = Math.round(max / interval)
  return Array.from({ length: count + 1 }, (_, at) => format(at * interval))
}

describe('the labels of an axis', () => {
  test.each<readonly [what: string, scale: AxisScale, greatest: number, labels: string]>([
    ['a few', countAxis, 3, '0 1 2 3'],
    ['nothing', countAxis, 0, '0 1'],
    ['thousands', countAxis, 9500, '0 5,000 10,000'],
    ['many', countAxis, 18_000, '0 5K 10K 15K 20K'],
    ['millions', countAxis, 1_900_000, '0 500K 1M 1.5M 2M'],
    ['a small cost', costAxis, 0.00035, '$0 $0.0001 $0.0002 $0.0003 $0.0004'],
    ['cents', costAxis, 0.018, '$0 $0.005 $0.010 $0.015 $0.020'],
    ['a dollar', costAxis, 1.9, '$0 $0.50 $1.00 $1.50 $2.00'],
    ['a large cost', costAxis, 7000, '$0 $2,000 $4,000 $6,000 $8,000'],
    ['any cost', costAxis, 1e308, '$0 $5.0e307 $1.0e308'],
    ['microseconds', durationAxis, 0.35, '0 µs|100 µs|200 µs|300 µs|400 µs'],
    ['milliseconds', durationAxis, 700, '0 ms|200 ms|400 ms|600 ms|800 ms'],
    ['seconds', durationAxis, 1900, '0 s|0.5 s|1.0 s|1.5 s|2.0 s'],
    ['a minute and more', durationAxis, 90_000, '0 s|50 s|100 s'],
    ['minutes', durationAxis, 1_000_000, '0 min|5 min|10 min|15 min|20 min'],
    ['hours', durationAxis, 40_000_000, '0 h|3 h|6 h|9 h|12 h'],
    ['shares', shareAxis, 0.07, '0% 2% 4% 6% 8%'],
    ['small shares', shareAxis, 0.0015, '0% 0.05% 0.10% 0.15%'],
  ])('%s', (_what, scale, greatest, labels) => {
    expect(labelsOf(scale(greatest))).toEqual(labels.split(labels.includes('|') ? '|' : ' '))
  })

  test.each([
    ['count', countAxis, 1e12],
    ['cost', costAxis, 1e7],
    ['duration', durationAxis, 1e10],
    ['share', shareAxis, 1],
  ] as const)('of a %s are few, distinct and reach the greatest value', (_what, scale, most) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: most, noNaN: true }), (greatest) => {
        fc.pre(greatest === 0 || greatest > 1e-7)
        const axis = scale(greatest)
        const labels = labelsOf(axis)
        expect(axis.max).toBeGreaterThanOrEqual(greatest * (1 - 1e-9))
        expect(labels.length).toBeLessThanOrEqual(6)
        expect(new Set(labels).size).toBe(labels.length)
      }),
    )
  })
})
