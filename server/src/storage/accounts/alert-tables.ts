import type {
  AlertDelivery,
  AlertMetric,
  AlertStatus,
  ShownAlertStatus,
} from '@assay/contract/alerts.ts'
import type { Flag, Timestamp } from './column-types.ts'

/*
 * Alert rules, the changes of their status, and the messages about these.
 */

export interface AlertRuleRow extends AlertState {
  readonly id: string
  readonly organization_id: string
  readonly project_id: string
  readonly name: string
  readonly is_enabled: Flag
  readonly metric: AlertMetric
  readonly threshold: number | null
  readonly window_minutes: number
  readonly score_name: string | null
  readonly min_count: number
  /** JSON, as in the API. */
  readonly filters: string
  /** A JSON list of users. */
  readonly recipient_ids: string
  readonly webhook_host: string | null
  /** Sealed JSON of the URL and the key that signs. The URL itself can be a secret. */
  readonly webhook: string | null
  readonly created_by: string | null
  readonly created_at: Timestamp
  /** Of the rule; checks do not change it. */
  readonly updated_at: Timestamp
}

export interface AlertState {
  readonly status: AlertStatus
  readonly status_since: Timestamp
  /** At the last check. */
  readonly value: number | null
  readonly checked_at: Timestamp | null
  /** Why the last check failed. */
  readonly problem: string | null
  readonly next_check_at: Timestamp
}

export interface AlertEventRow {
  /** Sorts as text in the order of the changes. */
  readonly id: string
  readonly project_id: string
  readonly rule_id: string
  readonly at: Timestamp
  /** The one that began. */
  readonly status: ShownAlertStatus
  readonly value: number | null
  readonly threshold: number | null
  /** JSON; null when nobody was to be notified. */
  readonly message: string | null
}

export interface AlertDeliveryRow {
  readonly id: string
  readonly project_id: string
  readonly event_id: string
  readonly channel: AlertDelivery['channel']
  /** The user of a mail. */
  readonly recipient_id: string | null
  /** The address of a mail, or the host of a webhook. */
  readonly recipient: string
  readonly status: AlertDelivery['status']
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly problem: string | null
  readonly updated_at: Timestamp
}
