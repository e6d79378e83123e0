import type { Allowed } from '../platform/network-rules.ts'
import { type Outbound, openOutbound } from '../platform/outbound-fetch.ts'

/** To models. Calls have shorter limits of their own (gateway.ts). */
export function openModelOutbound(allowed: Allowed): Outbound {
  return openOutbound({
    allowed,
    ...{ plainHttp: 'allowed', timeoutMs: 60_000, maxBytes: 8 * 1024 * 1024 },
  })
}
