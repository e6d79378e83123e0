import { openFairLookups } from '../platform/fair-lookups.ts'
import { nothingAllowed } from '../platform/network-rules.ts'
import { type Outbound, openOutbound } from '../platform/outbound-fetch.ts'

/** Requests of documents for an organization: to public addresses only. */
export type DocumentOutbound = (organizationId: string) => Outbound

export function openDocumentOutbound(maxBytes: number, timeoutMs: number): DocumentOutbound {
  const lookups = openFairLookups()
  return (organizationId) =>
    openOutbound({
      ...{ allowed: nothingAllowed, plainHttp: 'anywhere', timeoutMs, maxBytes },
      resolve: lookups(organizationId),
    })
}
