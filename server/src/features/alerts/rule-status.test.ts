import { describe, expect, test } from 'vitest'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import { isNotified, type Measurement, nextStatus } from './rule-status.ts'

const now = new Date('2026-05-01T08:00:00.000Z')
const hourAgo = '2026-05-01T07:00:00.000Z'
const minuteAgo = '2026-05-01T07:59:00.000Z'

type Rule = Pick<AlertRuleRow, 'metric' | 'threshold' | 'min_count' | 'status' | 'status_since'>
const rule: Rule = {
  ...({ metric: 'error_rate', threshold: 0.1, min_count: 5 } as const),
  ...({ status: 'ok', status_since: hourAgo } as const),
}

describe('a measurement', () => {
  test.each<readonly [what: string, rule: Partial<Rule>, measured: Measurement, status: string]>([
    ['above the threshold', {}, { value: 0.2, count: 5 }, 'firing'],
    ['at the threshold', {}, { value: 0.1, count: 5 }, 'ok'],
    ['of too few traces', {}, { value: 1, count: 4 }, 'no_data'],
    ['of a latency', { metric: 'latency_p90', threshold: 900 }, { value: 901, count: 5 }, 'firing'],
    ['of a score below', { metric: 'score_mean' }, { value: 0.09, count: 5 }, 'firing'],
    ['of a score at it', { metric: 'score_mean' }, { value: 0.1, count: 5 }, 'ok'],
    ['of no scores', { metric: 'score_mean' }, { value: null, count: 0 }, 'no_data'],
    ['of a cost of one trace', { metric: 'cost_per_day' }, { value: 2, count: 1 }, 'firing'],
    ['of no cost yet', { metric: 'cost_per_day' }, { value: 0, count: 0 }, 'ok'],
    ['of no traces', { metric: 'no_data', threshold: null }, { value: 0, count: 0 }, 'firing'],
    ['of some traces', { metric: 'no_data', threshold: null }, { value: 1, count: 1 }, 'ok'],
  ])('%s', (_what, more, measured, status) => {
    expect(nextStatus({ ...rule, ...more }, measured, now)).toBe(status)
  })

  test.each<readonly [what: string, since: string, status: string]>([
    ['keeps firing what began a minute ago', minuteAgo, 'firing'],
    ['ends what began an hour ago', hourAgo, 'ok'],
    ['ends what began in the future', '2026-05-01T09:00:00.000Z', 'ok'],
  ])('below the threshold %s', (_what, status_since, status) => {
    const firing = { ...rule, status: 'firing', status_since } as const
    expect(nextStatus(firing, { value: 0, count: 5 }, now)).toBe(status)
  })
})

test('people are notified when a rule begins to fire, and of what follows until it is OK again', () => {
  const statuses = ['ok', 'firing', 'no_data', 'disabled'] as const
  const notified = [undefined, ...statuses].flatMap((last) =>
    statuses.filter((status) => isNotified(status, last)).map((status) => `${last} → ${status}`),
  )
  expect(notified).toEqual([
    ...['undefined → firing', 'ok → firing'],
    ...['firing → ok', 'firing → no_data', 'firing → disabled'],
    ...['no_data → ok', 'no_data → firing', 'no_data → disabled', 'disabled → firing'],
  ])
})
