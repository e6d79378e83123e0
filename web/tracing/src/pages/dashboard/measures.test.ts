import { describe, expect, test } from 'vitest'
import {
  type Aggregates,
  changeBetween,
  formatAggregateCost,
  measures,
  sumAggregates,
} from './measures.ts'

const nothing: Aggregates = {
  ...{ count: 0, error_count: 0, model_call_count: 0, unpriced_call_count: 0 },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, latency_ms: { p50: null, p90: null, p99: null } },
}

describe('a cost', () => {
  test.each([
    ['of priced calls', { cost_usd: 2, model_call_count: 3, unpriced_call_count: 0 }, 2, '$2.00'],
    [
      'of partly unpriced calls',
      { cost_usd: 2, model_call_count: 3, unpriced_call_count: 1 },
      2,
      '≥ $2.00',
    ],
    ['of unpriced calls only', { model_call_count: 2, unpriced_call_count: 2 }, null, '—'],
    ['of free and unpriced calls', { model_call_count: 2, unpriced_call_count: 1 }, 0, '≥ $0'],
    ['of free calls', { model_call_count: 2, unpriced_call_count: 0 }, 0, '$0'],
    ['without calls', {}, 0, '$0'],
  ])('%s shows what is known', (_what, aggregates, value, text) => {
    expect(measures.cost.of({ ...nothing, ...aggregates })).toBe(value)
    expect(formatAggregateCost({ ...nothing, ...aggregates })).toBe(text)
  })
})

test('there is no error rate without traces', () => {
  expect(measures.error_rate.of(nothing)).toBeNull()
  expect(measures.error_rate.of({ ...nothing, count: 4, error_count: 1 })).toBe(0.25)
})

test('a sum adds up counts and amounts, but no latency quantiles', () => {
  const latency_ms = { p50: 5, p90: 6, p99: 7 }
  const one: Aggregates = { ...nothing, count: 2, error_count: 1, cost_usd: 0.5, latency_ms }
  expect(sumAggregates([one, one])).toEqual({ ...nothing, count: 4, error_count: 2, cost_usd: 1 })
})

describe('a change', () => {
  test.each([
    [10, 10, 'No change'],
    [112, 100, '+12% vs. previous period'],
    [97, 100, '−3% vs. previous period'],
    [0, 100, '−100% vs. previous period'],
    [420, 100, '×4.2 vs. previous period'],
    [5000, 100, '×50 vs. previous period'],
    [3, 0, '0 in the previous period'],
    [0, 0, 'No change'],
    [1001, 1000, 'No change'],
  ] as const)('to %d from %d reads %s', (now, before, expected) => {
    expect(changeOf(now, before)).toBe(expected)
  })

  test('of an unknown value is not shown', () => {
    expect(changeOf(null, 3)).toBeUndefined()
    expect(changeOf(3, null)).toBeUndefined()
  })

  test('without earlier traces reads the same for every measure', () => {
    const now = { ...nothing, count: 4, tokens_in: 10, cost_usd: 1 }
    const changes = Object.values(measures).map((measure) => changeBetween(measure, now, nothing))
    expect(new Set(changes)).toEqual(new Set(['No earlier data']))
  })

  /** The change of a measure of four traces, after as many. */
  function changeOf(now: number | null, before: number | null) {
    const [current, previous] = [
      { ...nothing, count: 4 },
      { ...nothing, count: 4 },
    ]
    return changeBetween({ of: (one) => (one === current ? now : before) }, current, previous)
  }
})
