import { limits } from '@assay/contract/limits.ts'
import { tooMany } from '../../accounts/rate-limited.ts'
import { toClientNetwork } from '../../platform/client-network.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

/** Counts a request. Throws RATE_LIMITED for a client over the limit of the last minute. */
export type DiscoveryLimit = (address: string) => Promise<void>

const windowMs = 60_000
const mostRequests = limits.ssoDiscoveryPerMinute.value

/** Bounds the cache of refused clients; the database decides about the rest. */
const maxRefused = 10_000

/**
 * A sliding window in the accounts database, so that servers which share it count together. Clients over the limit
 * are cached until they may send requests again: refusing them takes no query.
 */
export function discoveryLimit(accounts: Accounts, clock: Clock): DiscoveryLimit {
  const refusedUntil = new Map<string, number>()
  let nextCleaning = 0
  return async (address) => {
    const client = toClientNetwork(address)
    const now = clock.monotonicMs()
    const known = refusedUntil.get(client)
    if (known !== undefined && now < known) throw tooMany('requests', known - now)
    refusedUntil.delete(client)

    const timeOfDay = clock.now().getTime()
    const waitMs = await counted(client, timeOfDay, accounts)
    if (now >= nextCleaning) {
      nextCleaning = now + windowMs
      await accounts.ssoDiscovery.removeExpired(new Date(timeOfDay).toISOString())
    }
    if (waitMs === 0) return
    if (refusedUntil.size < maxRefused) refusedUntil.set(client, now + waitMs)
    throw tooMany('requests', waitMs)
  }
}

/** Counts the request unless the limit is reached. Returns the time until the next allowed request. */
function counted(client: string, now: number, accounts: Accounts): Promise<number> {
  return accounts.transaction(async ({ ssoDiscovery }) => {
    const expiresAt = new Date(now + windowMs).toISOString()
    const stored = await ssoDiscovery.lockRequestTimes(client, expiresAt)
    // Times in the future are from before the clock was set back: they count from now on, and no longer.
    const recent = stored.filter((at) => at > now - windowMs).map((at) => Math.min(at, now))
    const oldest = recent.at(-mostRequests)
    const isAllowed = oldest === undefined
    await ssoDiscovery.saveRequestTimes(client, isAllowed ? [...recent, now] : recent)
    return isAllowed ? 0 : oldest + windowMs - now
  })
}
