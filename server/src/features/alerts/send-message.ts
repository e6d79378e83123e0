import { limits } from '@assay/contract/limits.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Counters } from '../../platform/counters.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail.ts'
import { OutboundFailed, OutboundRefused } from '../../platform/outbound-fetch.ts'
import { openRateLimit, type RateLimit } from '../../platform/rate-limit.ts'
import { type SecretBox, SecretNotReadable } from '../../platform/secret-box.ts'
import type { WebhookOutbound } from '../../platform/webhook-outbound.ts'
import type { AlertDeliveryRow, AlertRuleRow } from '../../storage/accounts/alert-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { AlertMessage } from './alert-message.ts'
import { openWebhook, signatureHeaders } from './webhook.ts'

/*
 * Sends a message of an alert rule to one recipient, once.
 */

type Recipients = Pick<AccountStores, 'memberships' | 'users'>

export interface SendPorts {
  readonly accounts: Recipients
  readonly clock: Clock
  readonly log: Log
  readonly box: SecretBox
  /** Undefined: no mail is sent. */
  readonly mailer: Mailer | undefined
  /** One for all messages. */
  readonly mailLimit: RateLimit
  readonly webhookOutbound: WebhookOutbound
}

/** A rule that is changed again and again would fire, and send mail, each time. */
export function openMailLimit(counters: Counters): RateLimit {
  const burst = limits.alertMails.value
  const intervalMs = limits.alertMailSeconds.value * 1000
  return openRateLimit(counters('alert mails by recipient'), { burst, intervalMs })
}

export type Target = Pick<AlertDeliveryRow, 'id' | 'channel' | 'recipient_id' | 'recipient'>

/** Null when it was delivered. */
export type SendProblem = null | {
  /** For users. */
  readonly problem: string
  /** Whether another attempt can succeed. */
  readonly isRetryable: boolean
}

/** Whom a rule notifies: people who are members, by address, and its webhook. Former members and disabled accounts are left out. */
export async function listTargets(
  rule: AlertRuleRow,
  { accounts }: Pick<SendPorts, 'accounts'>,
): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const userId of JSON.parse(rule.recipient_ids) as string[]) {
    const email = await findAddress(rule.organization_id, userId, accounts)
    if (email === undefined) continue
    const to = { recipient_id: userId, recipient: email }
    targets.push({ id: newId(), channel: 'mail', ...to })
  }
  const { webhook_host: host } = rule
  if (host !== null) {
    targets.push({ id: newId(), channel: 'webhook', recipient_id: null, recipient: host })
  }
  return targets
}

export function sendMessage(
  target: Target,
  message: AlertMessage,
  rule: AlertRuleRow,
  signal: AbortSignal,
  ports: SendPorts,
): Promise<SendProblem> {
  return target.channel === 'mail'
    ? sendMail(target, message, rule, ports)
    : sendWebhook(target, message, rule, signal, ports)
}

async function findAddress(
  organizationId: string,
  userId: string,
  { memberships, users }: Recipients,
): Promise<string | undefined> {
  const member = await memberships.find(organizationId, userId)
  const user = member && (await users.find(userId))
  return user?.disabled_at === null ? user.email : undefined
}

async function sendMail(
  { recipient_id }: Target,
  { title, text, url }: AlertMessage,
  rule: AlertRuleRow,
  { accounts, mailer, mailLimit, log }: SendPorts,
): Promise<SendProblem> {
  if (mailer === undefined) return permanent('This service has no mail server.')
  const to = await findAddress(rule.organization_id, recipient_id ?? '', accounts)
  if (to === undefined) return permanent('This person can no longer see the project.')
  if ((await mailLimit.take(`${rule.organization_id} ${recipient_id}`)) > 0) {
    const problem = 'This person has just received many alert mails.'
    return { problem, isRetryable: true }
  }
  try {
    await mailer.send({ to, subject: title, text: `${text}\n\n${url}\n` })
    return null
  } catch (error) {
    log.error('an alert mail could not be sent', error, { ruleId: rule.id })
    return { problem: 'The mail server did not accept the mail.', isRetryable: true }
  }
}

async function sendWebhook(
  { id }: Target,
  message: AlertMessage,
  rule: AlertRuleRow,
  signal: AbortSignal,
  { box, clock, webhookOutbound }: SendPorts,
): Promise<SendProblem> {
  const body = JSON.stringify(message)
  try {
    const webhook = openWebhook(rule, box)
    if (webhook === null) return permanent('The webhook was removed.')
    const signed = signatureHeaders(id, clock.now(), body, webhook)
    const headers = { 'content-type': 'application/json', 'user-agent': 'Assay', ...signed }
    const request = { method: 'POST', headers, body, signal }
    // The response is not shown: it could be of a service that only this one can reach.
    const { status } = await webhookOutbound(rule.organization_id).fetch(webhook.url, request)
    if (status >= 200 && status < 300) return null
    return { problem: `The webhook responded with status ${status}.`, isRetryable: true }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SecretNotReadable) {
      return permanent('The URL cannot be decrypted. Enter it again.')
    }
    if (error instanceof OutboundRefused) return permanent(error.message)
    if (error instanceof OutboundFailed) return { problem: error.message, isRetryable: true }
    throw error
  }
}

const permanent = (problem: string) => ({ problem, isRetryable: false })
