import type { AlertMetric, AlertRule } from '@assay/contract/alerts.ts'
import { describe, expect, test } from 'vitest'
import { formatCondition, formatDelivery } from './alert-labels.ts'
import { formatThresholdRange, toAlertBody, toAlertValues } from './alert-values.ts'

const at = '2026-05-01T08:00:00.000Z'
const rule: AlertRule = {
  ...{ id: 'r', project_id: 'p', name: 'Errors', is_enabled: true, metric: 'error_rate' },
  ...{ threshold: 0.07, window_minutes: 360, score_name: null, min_count: 20 },
  filters: { mode: 'live', name: 'checkout', tag: ['a', 'b'] },
  ...{ recipient_ids: ['u'], webhook_host: 'hooks.example.org' },
  state: { status: 'ok', since: at, value: 0.01, checked_at: at, problem: null },
  ...{ created_by: null, created_at: at, updated_at: at },
}

describe('an alert rule in the form', () => {
  test('is saved as it was when nothing changes, with its webhook', () => {
    const { name, metric, threshold, window_minutes, score_name, min_count } = rule
    expect(toAlertBody(toAlertValues(rule))).toEqual({
      ...{ name, metric, threshold, window_minutes, score_name, min_count },
      ...{ filters: rule.filters, recipient_ids: ['u'] },
    })
  })

  test.each<readonly [AlertMetric, shown: string, stored: number]>([
    ['error_rate', '7', 0.07],
    ['error_rate', '0.1', 0.001],
    ['latency_p90', '2.5', 2500],
    ['cost_per_day', '12,5', 12.5],
    ['score_mean', '0.5', 0.5],
  ])('has the threshold of %s in the unit %s of people', (metric, shown, stored) => {
    const values = { ...toAlertValues(null), metric, threshold: shown }
    expect(toAlertBody(values).threshold).toBe(stored)
    const again = toAlertValues({ ...rule, metric, threshold: stored }).threshold
    expect(again).toBe(shown.replace(',', '.'))
  })

  test.each<readonly [AlertMetric, threshold: string]>([
    ['error_rate', '101'],
    ['error_rate', ''],
    ['score_mean', '-1'],
    ['latency_p90', 'fast'],
  ])('is refused with %s of "%s"', (metric, threshold) => {
    expect(toAlertBody({ ...toAlertValues(null), metric, threshold }).threshold).toBeNaN()
  })

  test('reports the range of a threshold in the unit of people', () => {
    expect(formatThresholdRange('error_rate')).toBe('0 to 100')
    expect(formatThresholdRange('latency_p90')).toBe('0 to 86,400')
  })

  test('leaves out what the metric does not use', () => {
    const values = { ...toAlertValues(rule), score_name: 'helpful' }
    expect(toAlertBody({ ...values, metric: 'no_data' })).toMatchObject({
      ...{ threshold: null, score_name: null, min_count: 1 },
    })
    const scores = toAlertBody({ ...values, metric: 'score_mean', threshold: '0.5' })
    expect(scores).toMatchObject({ score_name: 'helpful', filters: {} })
  })

  test('replaces or removes the webhook only on request', () => {
    const values = toAlertValues(rule)
    const changed = toAlertBody({ ...values, webhook_url: ' https://x.org/ ' })
    expect(changed.webhook_url).toBe('https://x.org/')
    expect(toAlertBody({ ...values, removes_webhook: true }).webhook_url).toBeNull()
  })
})

test.each<readonly [Partial<AlertRule>, string]>([
  [{}, 'Error rate above 7% in the last 6 hours, with at least 20 traces'],
  [{ metric: 'cost_per_day', threshold: 10 }, 'Cost per day above $10.00 (UTC)'],
  [
    { metric: 'score_mean', threshold: 0.5, score_name: 'helpful', min_count: 1 },
    'Mean score "helpful" below 0.5 in the last 6 hours',
  ],
  [
    { metric: 'no_data', threshold: null, window_minutes: 15 },
    'No new traces in the last 15 minutes',
  ],
])('a condition reads as a sentence: %o', (more, sentence) => {
  expect(formatCondition({ ...rule, ...more })).toBe(sentence)
})

test('a delivery has its target, what became of it, and why', () => {
  const mail = { channel: 'mail', recipient_id: 'u', recipient: 'ana@x.org' } as const
  const problem = 'The mail server did not accept the mail.'
  const written = [
    { ...mail, status: 'pending', attempts: 0, problem: null, updated_at: at } as const,
    { ...mail, status: 'pending', attempts: 1, problem, updated_at: at } as const,
    { ...mail, status: 'failed', attempts: 8, problem, updated_at: at } as const,
    { ...mail, status: 'delivered', attempts: 2, problem: null, updated_at: at } as const,
  ].map(formatDelivery)
  expect(written).toEqual([
    'Mail to ana@x.org: sending…',
    `Mail to ana@x.org: retrying after 1 attempt. ${problem}`,
    `Mail to ana@x.org: failed after 8 attempts. ${problem}`,
    'Mail to ana@x.org: delivered',
  ])
})
