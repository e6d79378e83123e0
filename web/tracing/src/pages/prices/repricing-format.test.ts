import type { Repricing } from '@assay/contract/repricing.ts'
import { describe, expect, test } from 'vitest'
import {
  formatCostDifference,
  formatRepricingResult,
  formatTraceCount,
  toTimeRange,
} from './repricing-format.ts'

const nowMs = Date.parse('2026-11-20T12:00:00.000Z')
const now = '2026-11-20T12:00:00.000Z'

test.each([
  ['any time', {}, '2000-01-01T00:00:00.000Z', now],
  ['the last hour', { range: '1h' } as const, '2026-11-20T11:00:00.000Z', now],
  ['since an instant', { from: '2026-01-01T00:00:00.000Z' }, '2026-01-01T00:00:00.000Z', now],
  [
    'until an instant',
    { to: '2026-01-01T00:00:00.000Z' },
    '2000-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ],
])('%s is resolved to two instants', (_time, search, from, to) => {
  expect(toTimeRange(search, nowMs)).toEqual({ from, to })
})

test.each([
  [1, 2.5, '+$1.5'],
  [0.5, 0.1, '−$0.4'],
  [0, 0.000_12, '+$0.00012'],
  [0.1 + 0.2, 0.3, 'no change'],
])('from %s to %s is %s', (before, after, text) => {
  expect(formatCostDifference(before, after)).toBe(text)
})

const none: Repricing = {
  from: now,
  to: now,
  trace_count: 0,
  traces_done: 0,
  spans_examined: 0,
  spans_changed: 0,
  newly_priced: 0,
  newly_unpriced: 0,
  cost_before_usd: 0,
  cost_after_usd: 0,
  models: [],
  is_complete: true,
}

describe('the result of a recalculation', () => {
  test.each([
    [{}, 'No calls in this time range.'],
    [{ spans_examined: 1200, spans_changed: 0 }, 'No call would change.'],
    [
      { spans_examined: 1200, spans_changed: 0, is_complete: false },
      '0 of 1,200 calls would change.',
    ],
    [
      { spans_examined: 9, spans_changed: 5, newly_priced: 4, newly_unpriced: 1 },
      '5 of 9 calls would change: 4 newly priced, 1 no longer priced.',
    ],
  ])('%j: %s', (stats, text) => {
    expect(formatRepricingResult({ ...none, ...stats })).toBe(text)
  })
})

test.each([
  [3, '3 traces'],
  [null, 'more than 1,000,000 traces'],
])('a count of %s is shown as "%s"', (count, text) => {
  expect(formatTraceCount(count)).toBe(text)
})
