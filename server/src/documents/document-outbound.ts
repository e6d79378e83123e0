import { limits } from '@assay/contract/limits.ts'
import { openFairLookups } from '../platform/fair-lookups.ts'
import { nothingAllowed } from '../platform/network-rules.ts'
import { type IsOwnServer, type Outbound, openOutbound } from '../platform/outbound-fetch.ts'

/** Requests of documents for an organization: to public addresses only. */
export type DocumentOutbound = (organizationId: string) => Outbound

export function openDocumentOutbound(isOwnServer?: IsOwnServer): DocumentOutbound {
  const lookups = openFairLookups()
  return (organizationId) =>
    openOutbound({
      ...{ allowed: nothingAllowed, plainHttp: 'anywhere', resolve: lookups(organizationId) },
      ...(isOwnServer && { isOwnServer }),
      // fetch-document.ts has a shorter one, for all requests of a URL together.
      timeoutMs: 2 * limits.fetchSeconds.value * 1000,
      maxBytes: limits.sourceBytes.value,
    })
}
