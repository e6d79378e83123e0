import { limits } from '@assay/contract/limits.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import type { Counters } from '../platform/counters.ts'
import { openRateLimit } from '../platform/rate-limit.ts'
import { tooMany } from './rate-limited.ts'
import { hashOfToken } from './secret-token.ts'

/*
 * Limits the queries that people cause without signing in: by their network, and by the token that they look up. Much
 * higher than what an office behind one address needs.
 */

/** Counts a request. Throws RATE_LIMITED. */
export type LookupLimit = (clientAddress: string, token?: string) => Promise<void>

/** `what` is looked up: each has counters of its own. */
export function openLookupLimit(what: string, counters: Counters): LookupLimit {
  const networks = openRateLimit(counters(`${what} by network`), {
    burst: limits.lookups.value,
    intervalMs: 1000 / limits.lookupsPerSecond.value,
  })
  const tokens = openRateLimit(counters(`${what} by token`), {
    burst: limits.tokenLookups.value,
    intervalMs: limits.tokenLookupSeconds.value * 1000,
  })
  return async (clientAddress, token) => {
    const waitMs =
      (await networks.take(toClientNetwork(clientAddress))) ||
      (token === undefined ? 0 : await tokens.take(hashOfToken(token)))
    if (waitMs > 0) throw tooMany('requests', waitMs)
  }
}
