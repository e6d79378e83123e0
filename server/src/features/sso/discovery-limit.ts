import { limits } from '@assay/contract/limits.ts'
import { tooMany } from '../../accounts/rate-limited.ts'
import { toClientNetwork } from '../../platform/client-network.ts'
import type { CounterRule, Counters } from '../../platform/counters.ts'

/** Counts a request. Throws RATE_LIMITED for a client over the limit of the last minute. */
export type DiscoveryLimit = (address: string) => Promise<void>

const windowMs = 60_000
const mostRequests = limits.ssoDiscoveryPerMinute.value

/** A sliding window: the state has the times of the requests within the last minute. */
export function discoveryLimit(counters: Counters): DiscoveryLimit {
  const requests = counters('sso discovery by network')
  return async (address) => {
    const waitMs = await requests.count(toClientNetwork(address), inWindow)
    if (waitMs > 0) throw tooMany('requests', waitMs)
  }
}

const inWindow: CounterRule = (times, now) => {
  // Times in the future are from before the clock was set back: they count from now on, and no longer.
  const recent = times.filter((at) => at > now - windowMs).map((at) => Math.min(at, now))
  const oldest = recent.at(-mostRequests)
  const expiresAtMs = now + windowMs
  if (oldest === undefined) return { state: [...recent, now], expiresAtMs }
  return { state: recent, expiresAtMs, waitMs: oldest + windowMs - now }
}
