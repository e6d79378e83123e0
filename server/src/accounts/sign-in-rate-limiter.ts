import { limits } from '@assay/contract/limits.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import type { Counters } from '../platform/counters.ts'
import { openRateLimit, type RateLimit } from '../platform/rate-limit.ts'
import { type AttemptLimit, openAttemptCounter } from './attempt-counter.ts'
import { tooMany } from './rate-limited.ts'

/*
 * Slows down password guessing. Attempts are counted per e-mail address, whether or not it has an account, and per
 * client network; after the first few, each further attempt has to wait longer. Also limits what people can add to the
 * database without further rights.
 */

export interface SignInRateLimiter {
  /** Counts an attempt at an e-mail address until it succeeds. Throws RATE_LIMITED. */
  enter(emailKey: string, clientAddress: string): Promise<Attempt>
  /** Counts an attempt that is not tied to an existing account, such as a sign-up. Throws RATE_LIMITED. */
  enterNetwork(clientAddress: string): Promise<NetworkAttempt>
  /** Counts an account that is created without an invite. Throws RATE_LIMITED. */
  countAccount(clientAddress: string): Promise<void>
  /** Counts a change that a user makes to their own account. Throws RATE_LIMITED. */
  countChange(userId: string): Promise<void>
  /** Counts a sign-in with the right password. Throws RATE_LIMITED. */
  countSignIn(userId: string): Promise<void>
}

export interface Attempt {
  succeeded(): Promise<void>
}

export interface NetworkAttempt {
  /** Stops counting the attempt, and records that this person has signed in from this network. */
  succeeded(emailKey?: string): Promise<void>
}

// A network may be an office full of people; an account is one person with a few passwords in mind.
const accountLimit: AttemptLimit = {
  free: limits.signInAttempts.value,
  expiryMs: limits.signInAttemptExpirySeconds.value * 1000,
}
const networkLimit: AttemptLimit = {
  free: limits.networkSignInAttempts.value,
  expiryMs: limits.networkSignInAttemptExpirySeconds.value * 1000,
}

/** How long several processes remember that a person has signed in from a network. */
const knownMs = 90 * 86_400_000

export function openSignInRateLimiter(counters: Counters): SignInRateLimiter {
  const accounts = openAttemptCounter(counters('sign-ins by address'), accountLimit)
  const networks = openAttemptCounter(counters('sign-ins by network'), networkLimit)
  const knownClients = counters('known clients')
  const addKnownClient = (clientKey: string) =>
    knownClients.update(clientKey, (_state, now) => ({ state: [now], expiresAtMs: now + knownMs }))
  const signUps = openRateLimit(counters('sign-ups'), {
    burst: limits.signUps.value,
    intervalMs: limits.signUpSeconds.value * 1000,
  })
  const changes = openRateLimit(counters('account changes'), {
    burst: limits.accountChanges.value,
    intervalMs: limits.accountChangeSeconds.value * 1000,
  })
  const signIns = openRateLimit(counters('sign-ins by user'), {
    burst: limits.userSignIns.value,
    intervalMs: limits.userSignInSeconds.value * 1000,
  })
  const count = async (limit: RateLimit, key: string) => refuse(await limit.take(key))
  const toClientKey = (emailKey: string, network: string) => `${emailKey} ${network}`
  return {
    async enter(emailKey, clientAddress) {
      const network = toClientNetwork(clientAddress)
      const clientKey = toClientKey(emailKey, network)
      // A person who has signed in from this network before does not wait because of anybody else's attempts,
      // neither at their address elsewhere nor in the same network.
      const isKnown = await knownClients.has(clientKey)
      const accountKey = isKnown ? clientKey : emailKey
      if (!isKnown) refuse(await networks.count(network))
      const waitMs = await accounts.count(accountKey)
      // Refused attempts do not count.
      if (waitMs > 0 && !isKnown) await networks.subtract(network)
      refuse(waitMs)
      return {
        async succeeded() {
          if (!isKnown) await networks.subtract(network)
          await accounts.clear(accountKey)
          await addKnownClient(clientKey)
        },
      }
    },
    async enterNetwork(clientAddress) {
      const network = toClientNetwork(clientAddress)
      refuse(await networks.count(network))
      return {
        async succeeded(emailKey) {
          await networks.subtract(network)
          if (emailKey !== undefined) await addKnownClient(toClientKey(emailKey, network))
        },
      }
    },
    countAccount: (clientAddress) => count(signUps, toClientNetwork(clientAddress)),
    countChange: (userId) => count(changes, userId),
    countSignIn: (userId) => count(signIns, userId),
  }
}

function refuse(waitMs: number): void {
  if (waitMs > 0) throw tooMany('attempts', waitMs)
}
