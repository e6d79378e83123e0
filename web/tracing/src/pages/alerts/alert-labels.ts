import type { AlertDelivery, AlertMetric, AlertRule } from '@assay/contract/alerts.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, unknown } from '@assay/ui/number-format.ts'
import { formatDuration } from '@assay/ui/time-format.ts'

/*
 * Alert rules in words.
 */

export const metricLabels: Readonly<Record<AlertMetric, string>> = {
  error_rate: 'Error rate above',
  latency_p90: 'p90 latency above',
  cost_per_day: 'Cost per day above',
  score_mean: 'Mean score below',
  no_data: 'No new traces',
}

/** The label of the input. */
export const thresholdLabels: Readonly<Record<AlertMetric, string>> = {
  error_rate: 'Threshold in %',
  latency_p90: 'Threshold in seconds',
  cost_per_day: 'Threshold in USD',
  score_mean: 'Threshold (0 to 1)',
  no_data: '',
}

export function formatWindow(minutes: number): string {
  return minutes < 120 ? `${minutes} minutes` : `${minutes / 60} hours`
}

export function formatAlertValue(metric: AlertMetric, value: number | null): string {
  if (value === null) return unknown
  switch (metric) {
    case 'error_rate':
      return `${Number((value * 100).toPrecision(3))}%`
    case 'latency_p90':
      return formatDuration(value)
    case 'cost_per_day':
      return formatCost(value)
    case 'score_mean':
      return String(Number(value.toPrecision(3)))
    case 'no_data':
      return countOf(value, 'trace')
  }
}

/** `Error rate above 5% in the last 60 minutes`. */
export function formatCondition(rule: AlertRule): string {
  const { metric, threshold, window_minutes, score_name, min_count } = rule
  if (metric === 'cost_per_day') {
    return `${metricLabels[metric]} ${formatAlertValue(metric, threshold)} (UTC)`
  }
  const range = `in the last ${formatWindow(window_minutes)}`
  if (metric === 'no_data') return `${metricLabels[metric]} ${range}`
  const subject =
    metric === 'score_mean' ? `Mean score "${score_name ?? ''}" below` : metricLabels[metric]
  const noun = metric === 'score_mean' ? 'score' : 'trace'
  const least = min_count > 1 ? `, with at least ${countOf(min_count, noun)}` : ''
  return `${subject} ${formatAlertValue(metric, threshold)} ${range}${least}`
}

/** The outcome of a message so far: `Mail to ana@x.org: delivered`. */
export function formatDelivery(delivery: AlertDelivery): string {
  const { channel, recipient, status, attempts, problem } = delivery
  const target = channel === 'mail' ? `Mail to ${recipient}` : `Webhook at ${recipient}`
  const reason = problem === null ? '' : ` ${problem}`
  switch (status) {
    case 'delivered':
      return `${target}: delivered`
    case 'failed':
      return `${target}: failed after ${countOf(attempts, 'attempt')}.${reason}`
    case 'pending':
      return attempts === 0
        ? `${target}: sending…`
        : `${target}: retrying after ${countOf(attempts, 'attempt')}.${reason}`
  }
}
