import { limits } from '@assay/contract/limits.ts'
import { openFairLookups } from './fair-lookups.ts'
import type { Allowed } from './network-rules.ts'
import { type IsOwnServer, type Outbound, openOutbound } from './outbound-fetch.ts'

/** To the webhooks of an organization: public addresses with HTTPS, and destinations that the operator allows. */
export type WebhookOutbound = (organizationId: string) => Outbound

export function openWebhookOutbound(allowed: Allowed, isOwnServer?: IsOwnServer): WebhookOutbound {
  const lookups = openFairLookups()
  return (organizationId) =>
    openOutbound({
      ...{ allowed, plainHttp: 'allowed', resolve: lookups(organizationId) },
      ...(isOwnServer && { isOwnServer }),
      timeoutMs: limits.webhookSeconds.value * 1000,
      maxBytes: limits.webhookResponseBytes.value,
    })
}
