import {
  createAlertRule,
  listAlertEvents,
  listAlertRules,
  removeAlertRule,
  type SavedAlertRule,
  testAlertRule,
  updateAlertRule,
  type WholeAlertRule,
  wholeAlertRule,
} from '@assay/contract/alerts.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import { type AuditEvent, recordEvent, userActor } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Bind, Call } from '../../http/call.ts'
import { check, invalidField } from '../../http/check.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Counters } from '../../platform/counters.ts'
import { Failure } from '../../platform/failure.ts'
import { newOrderedId } from '../../platform/ids.ts'
import { OutboundRefused } from '../../platform/outbound-fetch.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { storeChange } from './alert-events.ts'
import { startAlertChecks } from './alert-jobs.ts'
import {
  listChanged,
  newState,
  startsAgain,
  toApiAlertEvents,
  toApiAlertRule,
  toContents,
  toWhole,
} from './alert-rule.ts'
import { isNotified } from './rule-status.ts'
import type { SendPorts } from './send-message.ts'
import { openAlertTests } from './test-rule.ts'
import { newWebhook, sealWebhook, type Webhook } from './webhook.ts'

export interface AlertPorts extends SendPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly runner: Pick<JobRunner, 'wake'>
  readonly counters: Counters
  readonly baseUrl: string
}

export function registerAlerts(ports: AlertPorts): void {
  const { bind, accounts, clock } = ports

  bind(listAlertRules, async ({ caller: { projectId } }) => {
    const rows = await accounts.alertRules.list(projectId)
    return rows.map(toApiAlertRule)
  })

  bind(createAlertRule, (call) => create(call, ports))
  bind(updateAlertRule, (call) => update(call, ports))

  bind(removeAlertRule, async (call) => {
    const { projectId } = call.caller
    const at = clock.now().toISOString()
    await accounts.transaction(async (stores) => {
      const row = await stores.alertRules.remove(projectId, call.params.ruleId)
      if (row === undefined) throw notFound()
      const details = { project_id: projectId, name: row.name }
      await record({ action: 'alert_rule.removed', ...toTarget(row), details }, call, at, stores)
    })
    return { status: 'removed' as const }
  })

  bind(listAlertEvents, async ({ caller: { projectId }, params: { ruleId } }) => {
    const rule = await accounts.alertRules.find(projectId, ruleId)
    if (rule === undefined) throw notFound()
    const events = await accounts.alertEvents.list(projectId, ruleId, limits.alertEvents.value)
    const ids = events.map((event) => event.id)
    return toApiAlertEvents(events, await accounts.alertEvents.listDeliveries(projectId, ids))
  })

  const sendTest = openAlertTests(ports)
  bind(testAlertRule, async (call) => {
    const { projectId, organizationId } = call.caller
    const rule = await accounts.alertRules.find(projectId, call.params.ruleId)
    const project = await accounts.projects.find(organizationId, projectId)
    if (rule === undefined || project === undefined) throw notFound()
    const deliveries = await sendTest(rule, project, call.signal)
    const details = { project_id: projectId, name: rule.name }
    const event = { action: 'alert_rule.tested', ...toTarget(rule), details } as const
    const at = clock.now().toISOString()
    await accounts.transaction((stores) => record(event, call, at, stores))
    return { deliveries }
  })
}

const notFound = () => new Failure('NOT_FOUND', 'Alert rule not found.')

async function create(
  call: Call<typeof createAlertRule>,
  ports: AlertPorts,
): Promise<SavedAlertRule> {
  const { accounts, clock, box } = ports
  const { projectId, organizationId, user } = call.caller
  const { webhook_url: url, ...sent } = call.body
  const whole = check(createAlertRule, wholeAlertRule, sent) as WholeAlertRule
  await refuseOthers(createAlertRule, whole, organizationId, accounts)
  const webhook = url === null ? null : await openNewWebhook(url, organizationId, ports)
  const now = clock.now()
  const at = now.toISOString()
  const place = { id: newOrderedId(), organization_id: organizationId }
  const row: AlertRuleRow = {
    ...{ ...place, project_id: projectId, ...toContents(whole), ...newState(at) },
    ...toWebhookColumns(webhook, place, box),
    ...{ created_by: user.id, created_at: at, updated_at: at },
  }
  await accounts.transaction(async (stores) => {
    await stores.organizations.lock(organizationId)
    const { length } = await stores.alertRules.list(projectId)
    checkListLimit(length, limits.alertRulesPerProject, 'A project', 'Delete one first.')
    await stores.alertRules.insert(row)
    const details = { project_id: projectId, name: row.name, webhook_host: row.webhook_host }
    await record({ action: 'alert_rule.created', ...toTarget(row), details }, call, at, stores)
    if (whole.is_enabled) await startAlertChecks(organizationId, now, stores)
  })
  ports.runner.wake()
  return { ...toApiAlertRule(row), webhook_secret: webhook?.secret ?? null }
}

async function update(
  call: Call<typeof updateAlertRule>,
  ports: AlertPorts,
): Promise<SavedAlertRule> {
  const { accounts, clock, box } = ports
  const { projectId, organizationId } = call.caller
  const { webhook_url: url, ...sent } = call.body
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  const webhook = url ? await openNewWebhook(url, organizationId, ports) : null
  const now = clock.now()
  const at = now.toISOString()
  const row = await accounts.transaction(async (stores) => {
    await stores.organizations.lock(organizationId)
    const before = await stores.alertRules.find(projectId, call.params.ruleId)
    if (before === undefined) throw notFound()
    const merged = { ...toWhole(before), ...Object.fromEntries(given) }
    const whole = check(updateAlertRule, wholeAlertRule, merged) as WholeAlertRule
    if (sent.recipient_ids !== undefined) {
      await refuseOthers(updateAlertRule, whole, organizationId, stores)
    }
    const contents = toContents(whole)
    const changed = listChanged(before, contents)
    const isWebhookChanged = url !== undefined && (url !== null || before.webhook !== null)
    if (changed.length === 0 && !isWebhookChanged) return before
    const isAgain = startsAgain(changed)
    const after = await stores.alertRules.update(projectId, before.id, {
      ...{ ...contents, updated_at: at },
      ...(isWebhookChanged ? toWebhookColumns(webhook, before, box) : {}),
      ...(isAgain ? newState(at) : {}),
    })
    if (after === undefined) throw notFound()
    const details = {
      ...{ project_id: projectId, name: after.name, webhook_host: after.webhook_host },
      changed: [...changed, ...(isWebhookChanged ? ['webhook_url'] : [])],
    }
    await record({ action: 'alert_rule.updated', ...toTarget(after), details }, call, at, stores)
    if (isAgain && whole.is_enabled) await startAlertChecks(organizationId, now, stores)
    if (isAgain && !whole.is_enabled) await storeDisabled(after, at, stores, ports)
    return after
  })
  ports.runner.wake()
  return { ...toApiAlertRule(row), webhook_secret: webhook?.secret ?? null }
}

/** People who know that the rule fires are told, because it is not checked again. */
async function storeDisabled(
  rule: AlertRuleRow,
  at: string,
  stores: AccountStores,
  { baseUrl }: Pick<AlertPorts, 'baseUrl'>,
): Promise<void> {
  const project = await stores.projects.find(rule.organization_id, rule.project_id)
  const last = await stores.alertEvents.findNotified(rule.project_id, rule.id)
  if (project === undefined || !isNotified('disabled', last?.status)) return
  await storeChange(rule, { status: 'disabled', value: null, at, project, baseUrl }, stores)
}

/** Throws for a URL that messages would not be sent to. */
async function openNewWebhook(
  url: string,
  organizationId: string,
  { webhookOutbound }: Pick<AlertPorts, 'webhookOutbound'>,
): Promise<Webhook> {
  try {
    await webhookOutbound(organizationId).judge(url)
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    const message = `webhook_url cannot be used: ${error.message}`
    const details = { target: error.target }
    throw new Failure('VALIDATION_ERROR', message, { status: 422, details })
  }
  return newWebhook(url)
}

function toWebhookColumns(
  webhook: Webhook | null,
  rule: Pick<AlertRuleRow, 'id' | 'organization_id'>,
  box: AlertPorts['box'],
): Pick<AlertRuleRow, 'webhook' | 'webhook_host'> {
  if (webhook === null) return { webhook: null, webhook_host: null }
  return { webhook: sealWebhook(webhook, rule, box), webhook_host: new URL(webhook.url).host }
}

/** Mail goes to members only: the service must not send it to addresses that anybody enters. */
async function refuseOthers(
  declared: AnyEndpoint,
  { recipient_ids }: WholeAlertRule,
  organizationId: string,
  { memberships }: Pick<AccountStores, 'memberships'>,
): Promise<void> {
  for (const userId of recipient_ids) {
    if ((await memberships.find(organizationId, userId)) !== undefined) continue
    throw invalidField(declared, 'recipient_ids', 'must be members of the organization')
  }
}

function toTarget({ organization_id, id }: AlertRuleRow) {
  return { organizationId: organization_id, targetId: id }
}

function record(
  event: AuditEvent,
  { caller, client }: Pick<Call<typeof removeAlertRule>, 'caller' | 'client'>,
  at: string,
  stores: AccountStores,
): Promise<void> {
  return recordEvent(event, userActor(caller.user, client), at, stores)
}
