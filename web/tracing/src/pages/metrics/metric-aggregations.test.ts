import { describe, expect, test } from 'vitest'
import { combined, listAggregations, type Step } from './metric-aggregations.ts'

const nothing: Step = {
  ...{ at: '2026-11-20T10:00:00Z', count: null, sum: null, rate: null, avg: null },
  ...{ min: null, max: null, last: null, p50: null, p90: null, p99: null },
}
const step = (part: Partial<Step>): Step => ({ ...nothing, ...part })

describe('the default aggregation', () => {
  test.each([
    ['gauge', false, 'avg'],
    ['sum', true, 'rate'],
    ['sum', false, 'avg'],
    ['histogram', false, 'quantiles'],
    ['summary', false, 'quantiles'],
  ] as const)('%s, monotonic %s: %s', (kind, is_monotonic, first) => {
    expect(listAggregations({ kind, is_monotonic })[0]).toBe(first)
  })
})

describe('combining several series', () => {
  test.each([
    ['adds rates', 'rate', [step({ rate: 1 }), step({ rate: 2 })], 3],
    ['takes the minimum', 'min', [step({ min: 4 }), step({ min: -2 })], -2],
    ['takes the maximum', 'max', [step({ max: 4 }), step({ max: -2 })], 4],
    ['averages gauges with equal weights', 'avg', [step({ avg: 1 }), step({ avg: 3 })], 2],
    [
      'weights averages by count',
      'avg',
      [step({ avg: 1, count: 9, sum: 9 }), step({ avg: 11, count: 1, sum: 11 })],
      2,
    ],
    ['ignores missing values', 'rate', [step({}), step({ rate: 2 })], 2],
    ['is null without values', 'rate', [step({})], null],
    ['is null without series', 'avg', [], null],
  ] as const)('%s', (_what, aggregation, steps, expected) => {
    expect(combined(steps, aggregation)).toBe(expected)
  })
})
