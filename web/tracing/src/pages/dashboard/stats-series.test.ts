import { describe, expect, test } from 'vitest'
import type { Stats } from '../../api/figures.ts'
import { type Bucket, frameOf, knownCost, measures, seriesOf } from './stats-series.ts'

const nothing = {
  ...{ trace_count: 0, error_count: 0, model_call_count: 0, unpriced_call_count: 0 },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, latency_ms: { p50: null, p90: null, p99: null } },
}

function statsOf(buckets: readonly Partial<Bucket>[]): Stats {
  return {
    ...{ from: '2026-11-20T10:00:00Z', to: '2026-11-20T13:00:00Z', bucket: 'hour' },
    buckets: buckets.map((one) => ({ started_at: '2026-11-20T11:00:00Z', ...nothing, ...one })),
    ...{ by_name: [], by_environment: [], by_model: [] },
  }
}

describe('a cost', () => {
  test.each([
    ['of priced calls is told', { cost_usd: 2, model_call_count: 3, unpriced_call_count: 0 }, 2],
    ['lacks the unpriced ones', { cost_usd: 2, model_call_count: 3, unpriced_call_count: 1 }, 2],
    ['of unpriced calls alone is unknown', { model_call_count: 2, unpriced_call_count: 2 }, null],
    ['of free calls is nothing', { model_call_count: 2, unpriced_call_count: 0 }, 0],
    ['without any call is nothing', {}, 0],
  ])('%s', (_what, figures, expected) => {
    expect(knownCost({ ...nothing, ...figures })).toBe(expected)
  })
})

describe('a series over time', () => {
  const told = (measure: (typeof measures)[keyof typeof measures], bucket: Partial<Bucket>) =>
    seriesOf(statsOf([bucket]), measure, { form: 'bar' }).points.map(({ value }) => value)

  test('counts nothing in hours without traces', () => {
    expect(told(measures.succeeded, { trace_count: 5, error_count: 2 })).toEqual([0, 3, 0])
  })

  test('has gaps where no latency was measured', () => {
    const latency_ms = { p50: 10, p90: 20, p99: 30 }
    expect(told(measures.p90, { latency_ms })).toEqual([null, 20, null])
  })

  test('has a gap, not a zero, where the cost is unknown', () => {
    expect(told(measures.cost, { model_call_count: 1, unpriced_call_count: 1 })).toEqual([
      0,
      null,
      0,
    ])
  })
})

test('the frame is what the service counted, in its buckets', () => {
  expect(frameOf(statsOf([]))).toMatchObject({
    from: Date.parse('2026-11-20T10:00:00Z'),
    to: Date.parse('2026-11-20T13:00:00Z'),
    stepMs: 3_600_000,
  })
})
