import type { AlertStatus, ShownAlertStatus } from '@assay/contract/alerts.ts'
import { limits } from '@assay/contract/limits.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'

/*
 * What a measurement means for the status of an alert rule.
 */

export interface Measurement {
  /** In the unit of the threshold; for `no_data`, the number of traces. Null when there is nothing to measure. */
  readonly value: number | null
  /** Traces or scores. */
  readonly count: number
}

type Rule = Pick<AlertRuleRow, 'metric' | 'threshold' | 'min_count' | 'status' | 'status_since'>

const firingMs = limits.alertFiringMinutes.value * 60_000

/** A rule that fires keeps firing for some minutes, so that a value around the threshold does not send many messages. */
export function nextStatus(rule: Rule, measurement: Measurement, now: Date): AlertStatus {
  const status = judge(rule, measurement)
  const firingFor = now.getTime() - Date.parse(rule.status_since)
  // A clock that was set back does not keep it firing.
  const isRecent = firingFor >= 0 && firingFor < firingMs
  return rule.status === 'firing' && isRecent ? 'firing' : status
}

function judge({ metric, threshold, min_count }: Rule, { value, count }: Measurement): AlertStatus {
  if (metric === 'no_data') return count === 0 ? 'firing' : 'ok'
  const isEnough = metric === 'cost_per_day' || count >= min_count
  if (value === null || threshold === null || !isEnough) return 'no_data'
  const isFiring = metric === 'score_mean' ? value < threshold : value > threshold
  return isFiring ? 'firing' : 'ok'
}

/** Whether people are notified of a new status. `notified` is the status of the last message, if there was one. */
export function isNotified(
  status: ShownAlertStatus,
  notified: ShownAlertStatus | undefined,
): boolean {
  if (status === 'firing') return notified !== 'firing'
  const isOpen = notified === 'firing' || notified === 'no_data'
  return isOpen && status !== notified
}
