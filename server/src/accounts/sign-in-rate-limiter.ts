import { limits } from '@assay/contract/limits.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import type { Clock } from '../platform/clock.ts'
import { countersMax, openRateLimit, type RateLimit } from '../platform/rate-limit.ts'
import { setNewest } from '../platform/recent-entries.ts'
import { tooMany } from './rate-limited.ts'

/*
 * Slows down password guessing. Attempts are counted per e-mail address, whether or not it has an account, and per
 * client network; after the first few, each further attempt has to wait longer. Also limits what people can add to the
 * database without further rights. Counters are in memory: a restart resets them.
 */

export interface SignInRateLimiter {
  /** Counts an attempt at an e-mail address until it succeeds. Throws RATE_LIMITED. */
  enter(emailKey: string, clientAddress: string): Attempt
  /** Counts an attempt that is not tied to an existing account, such as a sign-up. Throws RATE_LIMITED. */
  enterNetwork(clientAddress: string): NetworkAttempt
  /** Counts an account that is created without an invite. Throws RATE_LIMITED. */
  countAccount(clientAddress: string): void
  /** Counts a change that a user makes to their own account. Throws RATE_LIMITED. */
  countChange(userId: string): void
  /** Counts a sign-in with the right password. Throws RATE_LIMITED. */
  countSignIn(userId: string): void
}

export interface Attempt {
  succeeded(): void
}

export interface NetworkAttempt {
  /** Stops counting the attempt, and records that this person has signed in from this network. */
  succeeded(emailKey?: string): void
}

interface AttemptLimit {
  /** The number of successive attempts without a wait. */
  readonly free: number
  /** One attempt no longer counts for each such period without a new one. */
  readonly expiryMs: number
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

const firstWaitMs = 1_000
const longestWaitMs = limits.signInWaitSecondsMax.value * 1000

export function openSignInRateLimiter(clock: Clock): SignInRateLimiter {
  const accounts = openAttemptCounter(accountLimit)
  const networks = openAttemptCounter(networkLimit)
  const knownClients = new Map<string, true>()
  const addKnownClient = (clientKey: string) =>
    setNewest(knownClients, clientKey, true, countersMax)
  const signUps = openRateLimit({
    burst: limits.signUps.value,
    intervalMs: limits.signUpSeconds.value * 1000,
    clock,
  })
  const changes = openRateLimit({
    burst: limits.accountChanges.value,
    intervalMs: limits.accountChangeSeconds.value * 1000,
    clock,
  })
  const signIns = openRateLimit({
    burst: limits.userSignIns.value,
    intervalMs: limits.userSignInSeconds.value * 1000,
    clock,
  })
  const count = (limit: RateLimit, key: string) => {
    const waitMs = limit.take(key)
    if (waitMs > 0) throw tooMany('attempts', waitMs)
  }
  const toClientKey = (emailKey: string, network: string) => `${emailKey} ${network}`
  const enter = (counted: readonly (readonly [AttemptCounter, string])[]): Attempt => {
    const now = clock.monotonicMs()
    const waitMs = Math.max(...counted.map(([counter, key]) => counter.waitMs(key, now)))
    if (waitMs > 0) throw tooMany('attempts', waitMs)
    for (const [counter, key] of counted) counter.add(key, now)
    return {
      succeeded() {
        for (const [counter, key] of counted) counter.subtract(key)
      },
    }
  }
  return {
    enter(emailKey, clientAddress) {
      const network = toClientNetwork(clientAddress)
      const clientKey = toClientKey(emailKey, network)
      // A person who has signed in from this network before does not wait because of anybody else's attempts,
      // neither at their address elsewhere nor in the same network.
      const isKnown = knownClients.has(clientKey)
      const accountKey = isKnown ? clientKey : emailKey
      const { succeeded } = enter([
        [accounts, accountKey],
        ...(isKnown ? [] : [[networks, network] as const]),
      ])
      return {
        succeeded() {
          succeeded()
          accounts.clear(accountKey)
          addKnownClient(clientKey)
        },
      }
    },
    enterNetwork(clientAddress) {
      const network = toClientNetwork(clientAddress)
      const { succeeded } = enter([[networks, network]])
      return {
        succeeded(emailKey) {
          succeeded()
          if (emailKey !== undefined) addKnownClient(toClientKey(emailKey, network))
        },
      }
    },
    countAccount: (clientAddress) => count(signUps, toClientNetwork(clientAddress)),
    countChange: (userId) => count(changes, userId),
    countSignIn: (userId) => count(signIns, userId),
  }
}

interface AttemptCount {
  readonly attempts: number
  readonly lastAt: number
}

interface AttemptCounter {
  waitMs(key: string, now: number): number
  add(key: string, now: number): void
  subtract(key: string): void
  clear(key: string): void
}

function openAttemptCounter({ free, expiryMs }: AttemptLimit): AttemptCounter {
  const counter = new Map<string, AttemptCount>()
  const countAttempts = (count: AttemptCount | undefined, now: number) =>
    count === undefined
      ? 0
      : Math.max(0, count.attempts - Math.floor((now - count.lastAt) / expiryMs))
  return {
    waitMs(key, now) {
      const count = counter.get(key)
      const over = countAttempts(count, now) - free
      if (count === undefined || over < 0) return 0
      return count.lastAt + Math.min(longestWaitMs, firstWaitMs * 2 ** over) - now
    },
    add(key, now) {
      const attempts = countAttempts(counter.get(key), now) + 1
      setNewest(counter, key, { attempts, lastAt: now }, countersMax)
    },
    subtract(key) {
      const count = counter.get(key)
      if (count !== undefined) counter.set(key, { ...count, attempts: count.attempts - 1 })
    },
    clear: (key) => void counter.delete(key),
  }
}
