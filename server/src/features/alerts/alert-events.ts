import { id } from '@assay/contract/fields.ts'
import { limits } from '@assay/contract/limits.ts'
import { z } from 'zod'
import { newJobRow } from '../../jobs/job-row.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { AlertEventRow, AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { ProjectRow } from '../../storage/accounts/people-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { toMessage } from './alert-message.ts'
import { isNotified } from './rule-status.ts'
import { listTargets, type Target } from './send-message.ts'

/*
 * The changes of the status of alert rules, and the messages about these.
 */

export const deliveryInput = z.object({ deliveryId: id })
/** A kind for each channel, so that mail does not wait for webhooks of the organization that are gone. */
export const deliveryKinds = {
  mail: { kind: 'alert_mail', input: deliveryInput },
  webhook: { kind: 'alert_delivery', input: deliveryInput },
}

interface Change extends Pick<AlertEventRow, 'status' | 'value' | 'at'> {
  readonly project: ProjectRow
  readonly baseUrl: string
}

/** Records that a status began, with a message if people are to know. Wake the job runner afterwards. */
export async function storeChange(
  rule: AlertRuleRow,
  { project, baseUrl, ...change }: Change,
  stores: AccountStores,
): Promise<void> {
  const last = await stores.alertEvents.findNotified(rule.project_id, rule.id)
  const message = isNotified(change.status, last?.status)
    ? toMessage({ rule, project, ...change, baseUrl })
    : null
  const targets = message === null ? [] : await listTargets(rule, { accounts: stores })
  const event = {
    ...{ id: newOrderedId(), project_id: rule.project_id, rule_id: rule.id, ...change },
    ...{ threshold: rule.threshold, message: message === null ? null : JSON.stringify(message) },
  }
  await storeEvent(event, targets, rule, stores)
}

async function storeEvent(
  event: AlertEventRow,
  targets: readonly Target[],
  { organization_id: organizationId }: AlertRuleRow,
  { alertEvents, jobs }: AccountStores,
): Promise<void> {
  const { id: event_id, project_id, rule_id, at } = event
  const none = { status: 'pending', attempts: 0, problem: null, updated_at: at } as const
  const deliveries = targets.map((target) => ({ ...target, project_id, event_id, ...none }))
  await alertEvents.insert(event, deliveries)
  for (const { id: deliveryId, channel } of deliveries) {
    const job = { organizationId, projectId: project_id, input: { deliveryId } }
    await jobs.insert(newJobRow(deliveryKinds[channel], job, at))
  }
  await alertEvents.prune(project_id, rule_id, limits.alertEvents.value)
}
