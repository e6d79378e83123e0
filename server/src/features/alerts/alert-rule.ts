import type {
  AlertDelivery,
  AlertEvent,
  AlertRule,
  WholeAlertRule,
} from '@assay/contract/alerts.ts'
import type {
  AlertDeliveryRow,
  AlertEventRow,
  AlertRuleRow,
  AlertState,
} from '../../storage/accounts/alert-tables.ts'

/*
 * Alert rules and their history between the API and the database.
 */

type Contents = Pick<
  AlertRuleRow,
  | 'name'
  | 'is_enabled'
  | 'metric'
  | 'threshold'
  | 'window_minutes'
  | 'score_name'
  | 'min_count'
  | 'filters'
  | 'recipient_ids'
>

export function toContents({ is_enabled, filters, recipient_ids, ...same }: WholeAlertRule) {
  return {
    ...same,
    is_enabled: is_enabled ? 1 : 0,
    filters: JSON.stringify(filters),
    recipient_ids: JSON.stringify([...new Set(recipient_ids)]),
  } satisfies Contents
}

export function toWhole(row: AlertRuleRow): WholeAlertRule {
  const { name, metric, threshold, score_name, min_count } = row
  return {
    ...{ name, metric, threshold, score_name, min_count },
    is_enabled: row.is_enabled === 1,
    window_minutes: row.window_minutes as WholeAlertRule['window_minutes'],
    filters: JSON.parse(row.filters) as WholeAlertRule['filters'],
    recipient_ids: JSON.parse(row.recipient_ids) as string[],
  }
}

const conditionFields = [
  'is_enabled',
  'metric',
  'threshold',
  'window_minutes',
  'score_name',
  'min_count',
  'filters',
] as const satisfies readonly (keyof Contents)[]

/** The members that differ. */
export function listChanged(before: AlertRuleRow, after: Contents): (keyof Contents)[] {
  const keys = ['name', 'recipient_ids', ...conditionFields] as const
  return keys.filter((key) => before[key] !== after[key])
}

/** Whether the status of the rule so far does not count for the changed one. */
export function startsAgain(changed: readonly (keyof Contents)[]): boolean {
  return conditionFields.some((key) => changed.includes(key))
}

/** Of a rule that has not been checked. */
export function newState(at: string): AlertState {
  return {
    ...{ status: 'pending', status_since: at, next_check_at: at },
    ...{ value: null, checked_at: null, problem: null },
  }
}

export function toApiAlertRule(row: AlertRuleRow): AlertRule {
  return {
    ...{ id: row.id, project_id: row.project_id },
    ...toWhole(row),
    webhook_host: row.webhook_host,
    state: {
      status: row.is_enabled === 1 ? row.status : 'disabled',
      since: row.status_since,
      ...{ value: row.value, checked_at: row.checked_at, problem: row.problem },
    },
    ...{ created_by: row.created_by, created_at: row.created_at, updated_at: row.updated_at },
  }
}

/** With the deliveries of all these events. */
export function toApiAlertEvents(
  events: readonly AlertEventRow[],
  deliveries: readonly AlertDeliveryRow[],
): AlertEvent[] {
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id)
  return events.map(({ id, at, status, value, threshold }) => ({
    ...{ id, at, status, value, threshold },
    deliveries: (byEvent.get(id) ?? []).map(toApiAlertDelivery),
  }))
}

function toApiAlertDelivery(row: AlertDeliveryRow): AlertDelivery {
  const { channel, recipient_id, recipient, status, attempts, problem, updated_at } = row
  return { channel, recipient_id, recipient, status, attempts, problem, updated_at }
}
