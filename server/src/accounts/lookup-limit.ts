import { limits } from '@assay/contract/limits.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import type { Clock } from '../platform/clock.ts'
import { openRateLimit } from '../platform/rate-limit.ts'
import { tooMany } from './rate-limited.ts'
import { hashOfToken } from './secret-token.ts'

/*
 * Limits the queries that people cause without signing in: by their network, and by the token that they look up. Much
 * higher than what an office behind one address needs.
 */

/** Counts a request. Throws RATE_LIMITED. */
export type LookupLimit = (clientAddress: string, token?: string) => void

export function openLookupLimit(clock: Pick<Clock, 'monotonicMs'>): LookupLimit {
  const networks = openRateLimit({
    burst: limits.lookups.value,
    intervalMs: 1000 / limits.lookupsPerSecond.value,
    clock,
  })
  const tokens = openRateLimit({
    burst: limits.tokenLookups.value,
    intervalMs: limits.tokenLookupSeconds.value * 1000,
    clock,
  })
  return (clientAddress, token) => {
    const waitMs =
      networks.take(toClientNetwork(clientAddress)) ||
      (token === undefined ? 0 : tokens.take(hashOfToken(token)))
    if (waitMs > 0) throw tooMany('requests', waitMs)
  }
}
