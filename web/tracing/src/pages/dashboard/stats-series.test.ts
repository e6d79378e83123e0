import { describe, expect, test } from 'vitest'
import type { Stats } from '../../api/stats.ts'
import { type Measure, measures } from './measures.ts'
import { sumBuckets, timeOfStep, toChartFrame, toSeries } from './stats-series.ts'

type Bucket = Stats['buckets'][number]

const nothing = {
  ...{ trace_count: 0, error_count: 0, model_call_count: 0, unpriced_call_count: 0 },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, latency_ms: { p50: null, p90: null, p99: null } },
}

function statsOf(buckets: readonly Partial<Bucket>[]): Stats {
  const [from, to] = ['2026-11-20T10:00:00Z', '2026-11-20T13:00:00Z']
  const groups = { by_name: [], by_environment: [], by_model: [], by_tag: [] }
  return {
    ...{ from, to, bucket: 'hour', is_complete: true, complete_from: from, ...groups },
    buckets: buckets.map((one) => ({ started_at: '2026-11-20T11:00:00Z', ...nothing, ...one })),
  }
}

describe('a series over time', () => {
  const valuesOf = (measure: Measure, bucket: Partial<Bucket>) =>
    toSeries(statsOf([bucket]), measure, { id: 'a', name: 'A', form: 'bar' }).points.map(
      ({ value }) => value,
    )

  test('is zero for hours without traces', () => {
    expect(valuesOf(measures.runs, { trace_count: 5 })).toEqual([0, 5, 0])
  })

  test('has gaps for hours without latency', () => {
    expect(valuesOf(measures.p90, { latency_ms: { p50: 10, p90: 20, p99: 30 } })).toEqual([
      null,
      20,
      null,
    ])
  })

  test('has a gap, not a zero, for an unknown cost', () => {
    const unknown = valuesOf(measures.cost, { model_call_count: 1, unpriced_call_count: 1 })
    expect(unknown).toEqual([0, null, 0])
  })
})

test('the frame covers the range of the stats in their buckets', () => {
  expect(toChartFrame(statsOf([]))).toMatchObject({
    from: Date.parse('2026-11-20T10:00:00Z'),
    to: Date.parse('2026-11-20T13:00:00Z'),
    stepMs: 3_600_000,
  })
})

describe('days in a range that starts and ends mid-day', () => {
  const midday = {
    from: '2026-11-18T15:00:00Z',
    to: '2026-11-21T16:00:00Z',
    bucket: 'day',
  } as const
  const days = ['18', '19', '21'].map((day, at) => ({
    ...{ started_at: `2026-11-${day}T00:00:00Z`, trace_count: at + 1 },
  }))

  test('all have a value, including the first and the last', () => {
    const stats = { ...statsOf(days), ...midday }
    const { points } = toSeries(stats, measures.runs, { id: 'a', name: 'A', form: 'bar' })
    expect(points.map(({ value }) => value)).toEqual([1, 2, 0, 3])
    expect(points[0]?.at).toBe(Date.parse('2026-11-18T00:00:00Z'))
  })

  test.each([
    ['2026-11-18', '2026-11-18T15:00:00.000Z', '2026-11-19T00:00:00.000Z'],
    ['2026-11-19', '2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T16:00:00.000Z'],
  ])('link on %s to the part inside the range', (day, from, to) => {
    expect(timeOfStep(midday, Date.parse(day))).toEqual({ from, to })
  })
})

test('the total covers all buckets', () => {
  const total = sumBuckets(statsOf([{ trace_count: 2 }, { trace_count: 3, error_count: 1 }]))
  expect(total).toMatchObject({ count: 5, error_count: 1 })
})
