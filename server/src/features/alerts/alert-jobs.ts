import type { AlertStatus } from '@assay/contract/alerts.ts'
import { limits } from '@assay/contract/limits.ts'
import { z } from 'zod'
import { type DefinedJob, defineJob, type WaitedFor } from '../../jobs/define-job.ts'
import { type JobKind, type JobProgress, newJobRow } from '../../jobs/job-row.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Requester } from '../../platform/requester.ts'
import type { AlertRuleRow, AlertState } from '../../storage/accounts/alert-tables.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import { type deliveryInput, deliveryKinds, storeChange } from './alert-events.ts'
import type { AlertMessage } from './alert-message.ts'
import { type AlertReads, measure } from './measure.ts'
import { type Measurement, nextStatus } from './rule-status.ts'
import { type SendPorts, sendMessage } from './send-message.ts'

/*
 * Checks alert rules every minute and delivers their messages. One job looks for organizations with due rules and starts
 * a job for each, so that organizations take turns; that one checks a rule per step. Each message to each recipient is a
 * job of its own, which is repeated with growing delays until it is delivered.
 */

export interface AlertJobPorts extends SendPorts {
  readonly accounts: Accounts
  readonly telemetry: AlertReads
  readonly baseUrl: string
}

const organizationsPerStep = 100
const readDeadlineMs = 20_000
const lookEveryMs = 10_000
/** With the time until the next look, a minute. */
const checkEveryMs = 55_000
/** After each failed attempt but the last. */
const retryDelaysMs = [10, 30, 120, 600, 1800, 3600, 10_800].map((seconds) => seconds * 1000)

const { value: attemptsMax } = limits.alertDeliveryAttempts

const noInput = z.object({})
const checksKind = { kind: 'alert_checks', input: noInput }

export function alertJobs(ports: AlertJobPorts): readonly DefinedJob[] {
  return [
    findAlertWorkJob(ports),
    alertChecksJob(ports),
    alertDeliveryJob(deliveryKinds.mail, 'mail', ports),
    alertDeliveryJob(deliveryKinds.webhook, 'webhooks', ports),
  ]
}

/** Starts the checks of an organization, unless they run already. Wake the job runner afterwards. */
export async function startAlertChecks(
  organizationId: string,
  now: Date,
  { jobs }: Pick<AccountStores, 'jobs'>,
): Promise<void> {
  const uniqueKey = `${checksKind.kind} ${organizationId}`
  const job = newJobRow(checksKind, { organizationId, uniqueKey, input: {} }, now.toISOString())
  await jobs.insert(job)
}

function findAlertWorkJob({ accounts, clock }: AlertJobPorts): DefinedJob {
  return defineJob<Record<string, never>, { after: string }, JobProgress>({
    ...{ kind: 'alert_rules', input: noInput, everyMs: lookEveryMs },
    async step({ progress }, { after } = { after: '' }) {
      const now = clock.now()
      const due = toDue(now)
      const found = await accounts.alertRules.listDueOrganizations(due, after, organizationsPerStep)
      for (const organizationId of found) await startAlertChecks(organizationId, now, accounts)
      const last = found.at(-1)
      if (last === undefined || found.length < organizationsPerStep) {
        return { isDone: true, progress }
      }
      return { position: { after: last }, progress }
    },
  })
}

function alertChecksJob(ports: AlertJobPorts): DefinedJob {
  const { accounts, clock } = ports
  return defineJob<Record<string, never>, null, JobProgress>({
    ...checksKind,
    async step({ organizationId, progress, signal }) {
      const now = clock.now()
      const next = new Date(now.getTime() + checkEveryMs).toISOString()
      // Scheduled before it is checked, so that a rule that fails does not keep the others waiting.
      const rule = await accounts.alertRules.claimDue(organizationId ?? '', toDue(now), next)
      if (rule === undefined) return { isDone: true, progress }
      await checkRule(rule, now, signal, ports)
      return { position: null, progress: { ...progress, done: progress.done + 1 } }
    },
  })
}

function toDue(now: Date) {
  const latest = new Date(now.getTime() + checkEveryMs).toISOString()
  return { now: now.toISOString(), latest }
}

async function checkRule(
  rule: AlertRuleRow,
  now: Date,
  signal: AbortSignal,
  ports: AlertJobPorts,
): Promise<void> {
  const { accounts, telemetry } = ports
  const options = { signal, deadlineMs: readDeadlineMs, requester: toRequester(rule) }
  let measurement: Measurement
  try {
    measurement = await measure(rule, now, telemetry, options)
  } catch (error) {
    if (!(error instanceof Unavailable) || signal.aborted) throw error
    await accounts.alertRules.storeCheck(rule, { problem: error.message })
    return
  }
  const status = nextStatus(rule, measurement, now)
  const { value } = measurement
  const state = { value, checked_at: now.toISOString(), problem: null }
  if (status === rule.status) await accounts.alertRules.storeCheck(rule, state)
  else await changeStatus(rule, { ...state, status }, now, ports)
}

/** The jobs of alerts take turns as an organization of their own, so that people do not wait for them. */
function toRequester({ organization_id }: AlertRuleRow): Requester {
  const owner = `alerts of ${organization_id}`
  return [owner, owner]
}

interface ChangedState extends Pick<AlertState, 'value' | 'checked_at' | 'problem'> {
  readonly status: AlertStatus
}

async function changeStatus(
  rule: AlertRuleRow,
  state: ChangedState,
  now: Date,
  { accounts, baseUrl }: AlertJobPorts,
): Promise<void> {
  const at = now.toISOString()
  await accounts.transaction(async (stores) => {
    const isStored = await stores.alertRules.storeCheck(rule, { ...state, status_since: at })
    const project = await stores.projects.find(rule.organization_id, rule.project_id)
    // Changed or removed in the meantime.
    if (!isStored || project === undefined) return
    const { status, value } = state
    await storeChange(rule, { status, value, at, project, baseUrl }, stores)
  })
}

function alertDeliveryJob(
  kind: JobKind<z.output<typeof deliveryInput>>,
  waitsFor: WaitedFor,
  ports: AlertJobPorts,
): DefinedJob {
  const { accounts, clock } = ports
  return defineJob<{ readonly deliveryId: string }, { attempts: number }, JobProgress>({
    ...{ ...kind, waitsFor, share: 1 },
    async step({ input, projectId, progress, signal }) {
      const done = { isDone: true, progress } as const
      const tenant = projectId ?? ''
      const found = await accounts.alertEvents.findDelivery(tenant, input.deliveryId)
      if (found === undefined || found.delivery.status !== 'pending') return done
      const { delivery, event } = found
      const rule = await accounts.alertRules.find(tenant, event.rule_id)
      if (rule === undefined || event.message === null) return done
      const message = JSON.parse(event.message) as AlertMessage
      const failed = await sendMessage(delivery, message, rule, signal, ports)
      const attempts = delivery.attempts + 1
      const isRepeated = failed?.isRetryable === true && attempts < attemptsMax
      const resumeInMs = isRepeated ? retryDelaysMs[attempts - 1] : undefined
      const status = failed === null ? 'delivered' : resumeInMs === undefined ? 'failed' : 'pending'
      const updated_at = clock.now().toISOString()
      const change = { status, attempts, problem: failed?.problem ?? null, updated_at } as const
      await accounts.alertEvents.updateDelivery(tenant, delivery.id, change)
      return resumeInMs === undefined ? done : { position: { attempts }, progress, resumeInMs }
    },
  })
}
