import type { AlertMetric, ShownAlertStatus } from '@assay/contract/alerts.ts'
import { expect, test } from 'vitest'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import { toMessage } from './alert-message.ts'

const rule = {
  ...{ id: 'r', name: 'Errors', window_minutes: 60, score_name: 'helpful', threshold: 0.05 },
  filters: '{}',
} as AlertRuleRow
const project = { id: 'p', name: 'Support' }
const at = '2026-05-01T08:00:00.000Z'

const write = (
  metric: AlertMetric,
  status: ShownAlertStatus | 'test',
  value: number | null,
  more: Partial<AlertRuleRow> = {},
) => {
  const whole = { ...rule, metric, ...more }
  return toMessage({ rule: whole, project, status, value, at, baseUrl: 'https://assay.example' })
}

test('a message has a title, a text, the rule, its value and a link to its history', () => {
  expect(write('error_rate', 'firing', 0.125)).toEqual({
    ...{ type: 'alert.firing', timestamp: at, title: 'Firing: Errors (Support)' },
    text: 'The error rate of the last 60 minutes is 12.5% (threshold 5%).',
    rule: {
      ...{ id: 'r', name: 'Errors', metric: 'error_rate' },
      ...{ threshold: 0.05, window_minutes: 60, filters: {} },
    },
    ...{ project, value: 0.125, url: 'https://assay.example/p/p/alerts?rule=r' },
  })
})

test.each<readonly [ShownAlertStatus | 'test', type: string, title: string]>([
  ['ok', 'alert.resolved', 'Resolved: Errors (Support)'],
  ['no_data', 'alert.no_data', 'Not enough data: Errors (Support)'],
  ['test', 'alert.test', 'Test: Errors (Support)'],
])('a message about %s is of type %s', (status, type, title) => {
  expect(write('error_rate', status, null)).toMatchObject({ type, title })
})

test.each<
  readonly [AlertMetric, ShownAlertStatus | 'test', number | null, Partial<AlertRuleRow>, string]
>([
  [
    ...(['error_rate', 'ok', 0, {}] as const),
    'The error rate of the last 60 minutes is 0% (threshold 5%).',
  ],
  [
    ...(['error_rate', 'no_data', null, {}] as const),
    'The rule has stopped firing: there is too little data in the last 60 minutes.',
  ],
  [
    ...(['latency_p90', 'firing', 3210, { threshold: 800, window_minutes: 360 }] as const),
    'The p90 latency of the last 6 hours is 3.21 s (threshold 800 ms).',
  ],
  [
    ...(['cost_per_day', 'firing', 12.3456, { threshold: 10 }] as const),
    'The cost of today (UTC) is $12.35 (threshold $10).',
  ],
  [
    ...(['score_mean', 'firing', 0.4213, { threshold: 0.5 }] as const),
    'The mean score "helpful" of the last 60 minutes is 0.421 (threshold 0.5).',
  ],
  [
    ...(['no_data', 'firing', 0, { threshold: null, window_minutes: 15 }] as const),
    'No trace has started in the last 15 minutes.',
  ],
  [
    ...(['no_data', 'ok', 12, { threshold: null, window_minutes: 1440 }] as const),
    'Traces arrive again: 12 in the last 24 hours.',
  ],
  [
    ...(['error_rate', 'test', null, {}] as const),
    'This is a test message. It says nothing about the status.',
  ],
  [
    ...(['error_rate', 'disabled', null, { filters: '{"mode":"live"}' }] as const),
    'The rule was disabled.',
  ],
  [
    ...(['no_data', 'firing', 0, { filters: '{"environment":"prod","mode":"live"}' }] as const),
    'No trace has started in the last 60 minutes. Filters: environment prod, mode live.',
  ],
  [
    ...(['no_data', 'ok', 1, { filters: '{"tag":["a","b"]}' }] as const),
    'Traces arrive again: 1 in the last 60 minutes. Filters: tags a and b.',
  ],
])('of %s that is %s at %s', (metric, status, value, more, text) => {
  expect(write(metric, status, value, more).text).toBe(text)
})
