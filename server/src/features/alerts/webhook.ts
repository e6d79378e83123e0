import { createHmac, randomBytes } from 'node:crypto'
import type { SecretBox, SecretPlace } from '../../platform/secret-box.ts'
import type { AlertRuleRow } from '../../storage/accounts/alert-tables.ts'

/*
 * The webhook of an alert rule: its URL and the secret that signs what is sent there.
 * Form and signature: Standard Webhooks, https://www.standardwebhooks.com
 */

export interface Webhook {
  readonly url: string
  /** `whsec_` and the key in base64. */
  readonly secret: string
}

type Place = Pick<AlertRuleRow, 'id' | 'organization_id'>

export function newWebhook(url: string): Webhook {
  return { url, secret: secretPrefix + randomBytes(32).toString('base64') }
}

export function sealWebhook(webhook: Webhook, rule: Place, box: SecretBox): string {
  return box.seal(JSON.stringify(webhook), toPlace(rule))
}

/** Null without a webhook. */
export function openWebhook(
  rule: Place & Pick<AlertRuleRow, 'webhook'>,
  box: SecretBox,
): Webhook | null {
  if (rule.webhook === null) return null
  return JSON.parse(box.open(rule.webhook, toPlace(rule))) as Webhook
}

const secretPrefix = 'whsec_'

function toPlace({ id, organization_id }: Place): SecretPlace {
  return { table: 'alert_rules', column: 'webhook', organizationId: organization_id, rowId: id }
}

/** The headers of a request. `messageId` stays the same when a message is sent again. */
export function signatureHeaders(
  messageId: string,
  at: Date,
  body: string,
  { secret }: Pick<Webhook, 'secret'>,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`)
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature.digest('base64')}`,
  }
}
