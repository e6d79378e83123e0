import { limits } from '@assay/contract/limits.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IntervalCounter, listIntervals } from './distribution.ts'
import type { Distribution, MetricPoint } from './metric.ts'
import { toSteps } from './metric-steps.ts'

const second = 1_000_000_000n
const from = 1_767_261_600n * second
const range = { from, to: from + 600n * second, stepNanos: 60n * second }
const buckets = { offset: 0, counts: [] }
const none: Distribution = {
  ...{ count: 0, sum: null, min: null, max: null, bounds: [], counts: [] },
  ...{ scale: 0, zeroCount: 0, zeroThreshold: 0, positive: buckets, negative: buckets },
  quantiles: [],
}
type Point = Omit<MetricPoint, 'exemplars'>
const point = (seconds: number, value: number | null, rest: Partial<Point> = {}): Point => ({
  ...{ at: from + BigInt(seconds) * second, startedAt: null, value, distribution: null },
  ...rest,
})
const counter = { kind: 'sum', temporality: 'cumulative', isMonotonic: true } as const
const sums = (points: readonly Point[], series: Parameters<typeof toSteps>[0] = counter) =>
  toSteps(series, points, range).map(({ at, sum }) => [Number((at - from) / second), sum])

describe('increases of a cumulative sum', () => {
  test.each([
    ['from the point before the range', [point(-30, 5), point(30, 9)], [[0, 4]]],
    [
      'null before the first point of unknown start',
      [point(30, 9), point(90, 12)],
      [
        [0, null],
        [60, 3],
      ],
    ],
    [
      'the whole value, when it started in the range',
      [point(30, 9, { startedAt: from })],
      [[0, 9]],
    ],
    [
      'null, when it started before the range',
      [point(30, 9, { startedAt: from - 1n })],
      [[0, null]],
    ],
    ['the whole value, when it decreased', [point(-30, 100), point(30, 7)], [[0, 7]]],
    [
      'the whole value, when it was reset and is already larger',
      [point(-30, 5), point(30, 9, { startedAt: from })],
      [[0, 9]],
    ],
    [
      'in every step with a point',
      [point(-1, 0), point(0, 1), point(59, 3), point(60, 6)],
      [
        [0, 3],
        [60, 3],
      ],
    ],
  ])('%s', (_what, points, expected) => {
    expect(sums(points)).toEqual(expected)
  })

  test('add up to the total growth, wherever the counter was reset, and are never negative', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(100), fc.boolean()), { maxLength: 30 }), (growths) => {
        let value = 0
        const points = growths.map(([growth, restarts], index) => {
          value = restarts ? growth : value + growth
          const startedAt = restarts ? { startedAt: from + BigInt(index * 20 - 1) * second } : {}
          return point(index * 20, value, startedAt)
        })
        const increases = sums([point(-5, 0), ...points]).map(([, sum]) => Number(sum))
        const whole = growths.reduce((sum, [growth]) => sum + growth, 0)
        expect(increases.reduce((a, b) => a + b, 0)).toBe(whole)
        expect(increases.every((sum) => sum >= 0)).toBe(true)
      }),
    )
  })
})

test.each([
  ['a delta sum adds up', { ...counter, temporality: 'delta' }, { sum: 8, rate: 8 / 60, last: 3 }],
  [
    'a non-monotonic sum is a gauge',
    { ...counter, isMonotonic: false },
    { sum: null, avg: 4, last: 3 },
  ],
  [
    'a gauge',
    { kind: 'gauge', temporality: 'unspecified', isMonotonic: false },
    { min: 3, max: 5, avg: 4 },
  ],
] as const)('%s', (_what, series, expected) => {
  const [step] = toSteps(series, [point(1, 5), point(2, 3)], range)
  expect(step).toMatchObject(expected)
})

describe('a cumulative histogram', () => {
  const histogram = { kind: 'histogram', temporality: 'cumulative', isMonotonic: false } as const
  const at = (seconds: number, counts: readonly number[], bounds: readonly number[] = [1, 2]) =>
    point(seconds, null, {
      distribution: { ...none, bounds, counts, count: counts.reduce((a, b) => a + b, 0), sum: 10 },
    })

  test('gives the distribution between its points', () => {
    const [step] = toSteps(histogram, [at(-30, [5, 0, 0]), at(30, [5, 10, 0])], range)
    expect([step?.count, step?.p50, step?.p90]).toEqual([10, 1.5, 1.9])
  })

  test.each([
    ['after a reset', [at(-30, [9, 9, 9]), at(30, [0, 4, 0])]],
    ['after its buckets changed', [at(-30, [1, 1], [7]), at(30, [0, 4, 0])]],
  ])('gives its whole distribution: %s', (_what, points) => {
    expect(toSteps(histogram, points, range)[0]).toMatchObject({ count: 4, p50: 1.5 })
  })

  test('subtracts exponential buckets at different scales', () => {
    const exponential = { ...histogram, kind: 'exponential_histogram' } as const
    const of = (seconds: number, scale: number, counts: readonly number[]) =>
      point(seconds, null, {
        distribution: {
          ...{ ...none, scale, positive: { offset: 0, counts }, sum: 0 },
          count: counts.reduce((a, b) => a + b, 0),
        },
      })
    // Four buckets at scale 1 are two at scale 0: (1, 2] and (2, 4].
    const points = [of(-30, 1, [1, 1, 2, 0]), of(30, 0, [2, 12])]
    const [step] = toSteps(exponential, points, range)
    expect([step?.count, step?.p50]).toEqual([10, 3])
  })
})

describe('quantiles', () => {
  const values = fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), {
    minLength: 1,
    maxLength: 60,
  })
  const bounds = fc.uniqueArray(fc.integer({ min: -900, max: 900 }), { maxLength: 8 })

  test('are between min and max, ascend, and fall in the bucket of the true value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values, bounds), { minLength: 1, maxLength: 3 }), (parts) => {
        const intervalCounter = new IntervalCounter()
        const all = parts.flatMap(([values]) => values)
        for (const [values, edges] of parts) {
          const sorted = edges.toSorted((a, b) => a - b)
          const counts = Array.from({ length: sorted.length + 1 }, () => 0)
          for (const value of values) counts[sorted.filter((edge) => edge < value).length]! += 1
          intervalCounter.add(listIntervals({ ...none, bounds: sorted, counts }))
        }
        const [min, max] = [Math.min(...all), Math.max(...all)]
        const [low, middle, high] = intervalCounter.quantiles([0, 0.5, 1], { min, max }) ?? []
        expect(low).toBeGreaterThanOrEqual(min)
        expect(middle).toBeGreaterThanOrEqual(low!)
        expect(high).toBeGreaterThanOrEqual(middle!)
        expect(high).toBeLessThanOrEqual(max)
      }),
    )
  })

  test('of overlapping intervals have the requested share of all values below them', () => {
    const interval = fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(40), fc.integer({ min: 1, max: 9 }))
      .map(([lower, width, count]) => ({ lower, upper: lower + width, count }))
    fc.assert(
      fc.property(
        fc.array(interval, { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (intervals, quantile) => {
          const counter = new IntervalCounter()
          counter.add(intervals)
          const [value] = counter.quantiles([quantile], { min: null, max: null }) ?? []
          const share = (isIncluded: boolean) =>
            intervals.reduce((sum, { lower, upper, count }) => {
              const isPoint = lower === upper && upper === value
              if (isPoint) return sum + (isIncluded ? count : 0)
              const part =
                lower === upper ? Math.sign(value! - lower) : (value! - lower) / (upper - lower)
              return sum + count * Math.max(0, Math.min(1, part))
            }, 0)
          const rank = quantile * intervals.reduce((sum, { count }) => sum + count, 0)
          expect(share(false)).toBeLessThanOrEqual(rank + 1e-6)
          expect(share(true)).toBeGreaterThanOrEqual(rank - 1e-6)
        },
      ),
    )
  })

  test('of more different intervals than are kept are undefined', () => {
    const counter = new IntervalCounter()
    const ofWidth = (width: number) => ({ lower: 0, upper: width, count: 1 })
    counter.add(Array.from({ length: limits.bucketsPerStep.value }, (_, n) => ofWidth(n + 1)))
    expect(counter.quantiles([1], { min: null, max: null })).toEqual([limits.bucketsPerStep.value])
    counter.add([ofWidth(0.5)])
    expect(counter.quantiles([1], { min: null, max: null })).toBeUndefined()
  })

  test('of an empty distribution are undefined', () => {
    expect(new IntervalCounter().quantiles([0.5], { min: null, max: null })).toBeUndefined()
  })
})
