import { describe, expect, test } from 'vitest'
import { type Aggregates, changeOf, formatTotalCost, measures, sumOf } from './measures.ts'

const nothing: Aggregates = {
  ...{ count: 0, error_count: 0, model_call_count: 0, unpriced_call_count: 0 },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, latency_ms: { p50: null, p90: null, p99: null } },
}

describe('a cost', () => {
  test.each([
    ['of priced calls', { cost_usd: 2, model_call_count: 3, unpriced_call_count: 0 }, 2, '$2.00'],
    [
      'of some unpriced',
      { cost_usd: 2, model_call_count: 3, unpriced_call_count: 1 },
      2,
      '≥ $2.00',
    ],
    ['of unpriced calls alone', { model_call_count: 2, unpriced_call_count: 2 }, null, '—'],
    ['of free and unpriced calls', { model_call_count: 2, unpriced_call_count: 1 }, 0, '≥ $0'],
    ['of free calls', { model_call_count: 2, unpriced_call_count: 0 }, 0, '$0'],
    ['without any call', {}, 0, '$0'],
  ])('%s is drawn and told as what is known of it', (_what, aggregates, drawn, told) => {
    expect(measures.cost.of({ ...nothing, ...aggregates })).toBe(drawn)
    expect(formatTotalCost({ ...nothing, ...aggregates })).toBe(told)
  })
})

test('no error rate is told of no runs', () => {
  expect(measures.error_rate.of(nothing)).toBeNull()
  expect(measures.error_rate.of({ ...nothing, count: 4, error_count: 1 })).toBe(0.25)
})

test('a sum adds up what can be added, and tells no latency', () => {
  const latency_ms = { p50: 5, p90: 6, p99: 7 }
  const one: Aggregates = { ...nothing, count: 2, error_count: 1, cost_usd: 0.5, latency_ms }
  expect(sumOf([one, one])).toEqual({ ...nothing, count: 4, error_count: 2, cost_usd: 1 })
})

describe('a change', () => {
  test.each([
    [10, 10, 'no change', 'same'],
    [112, 100, '+12%', 'up'],
    [97, 100, '−3%', 'down'],
    [0, 100, '−100%', 'down'],
    [420, 100, '×4.2', 'up'],
    [5000, 100, '×50', 'up'],
    [3, 0, 'new', 'up'],
    [1001, 1000, 'no change', 'same'],
  ] as const)('to %d from %d reads %s', (now, before, word, direction) => {
    expect(changeOf(now, before)).toEqual({ word, direction })
  })

  test('of what is unknown is not told', () => {
    expect(changeOf(null, 3)).toBeUndefined()
    expect(changeOf(3, null)).toBeUndefined()
  })
})
