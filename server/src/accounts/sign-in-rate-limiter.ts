import { clientNetworkOf } from '../platform/client-network.ts'
import type { Clock } from '../platform/clock.ts'
import { Failure } from '../platform/failure.ts'

/*
 * Slows down guessing. Attempts are counted for the address they are made at, whether or not there is an account
 * for it, and for the network they come from; after the first few the next has to wait, longer each time. In
 * memory: a restart forgets, which costs an attacker more than it gives.
 */

export interface SignInRateLimiter {
  /** An attempt at an address; counts until it is told to have succeeded. Throws RATE_LIMITED. */
  enter(emailKey: string, clientAddress: string): Attempt
  /** An attempt that is made at no address in particular. Throws RATE_LIMITED. */
  enterNetwork(clientAddress: string): Attempt
}

export interface Attempt {
  succeeded(): void
}

interface RateLimit {
  /** So many attempts in a row do not wait. */
  readonly free: number
  /** After so long without an attempt one is forgotten. */
  readonly forgetMs: number
}

// A network may be an office full of people; an account is one person with a few passwords in mind.
const accountLimit: RateLimit = { free: 5, forgetMs: 3 * 60_000 }
const networkLimit: RateLimit = { free: 30, forgetMs: 20_000 }

const firstWaitMs = 1_000
const longestWaitMs = 60_000

/** Of each kind. Who was counted longest ago is forgotten first. */
export const maxCounters = 10_000

export function openSignInRateLimiter(clock: Clock): SignInRateLimiter {
  const accounts = openAttemptCounter(accountLimit)
  const networks = openAttemptCounter(networkLimit)
  const knownClients = openRecentSet()
  const enter = (counted: readonly (readonly [AttemptCounter, string])[]): Attempt => {
    const now = clock.now().getTime()
    const waitMs = Math.max(...counted.map(([counter, key]) => counter.waitMs(key, now)))
    if (waitMs > 0) throw tooSoon(waitMs)
    for (const [counter, key] of counted) counter.add(key, now)
    return {
      succeeded() {
        for (const [counter, key] of counted) counter.subtract(key)
      },
    }
  }
  return {
    enter(emailKey, clientAddress) {
      const network = clientNetworkOf(clientAddress)
      const ownKey = `${emailKey} ${network}`
      // Whoever has signed in from here before is not kept out by what others try elsewhere.
      const accountKey = knownClients.has(ownKey) ? ownKey : emailKey
      const { succeeded } = enter([
        [accounts, accountKey],
        [networks, network],
      ])
      return {
        succeeded() {
          succeeded()
          accounts.clear(accountKey)
          knownClients.add(ownKey)
        },
      }
    },
    enterNetwork: (clientAddress) => enter([[networks, clientNetworkOf(clientAddress)]]),
  }
}

function tooSoon(waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000)
  return new Failure(
    'RATE_LIMITED',
    `Too many attempts. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfterSeconds: seconds },
  )
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

function openAttemptCounter({ free, forgetMs }: RateLimit): AttemptCounter {
  // In the order of their last attempts.
  const counter = new Map<string, AttemptCount>()
  const put = (key: string, count: AttemptCount) => {
    counter.delete(key)
    counter.set(key, count)
    dropOldest(counter)
  }
  const attemptsOf = (count: AttemptCount | undefined, now: number) =>
    count === undefined
      ? 0
      : Math.max(0, count.attempts - Math.floor((now - count.lastAt) / forgetMs))
  return {
    waitMs(key, now) {
      const count = counter.get(key)
      const over = attemptsOf(count, now) - free
      if (count === undefined || over < 0) return 0
      return count.lastAt + Math.min(longestWaitMs, firstWaitMs * 2 ** over) - now
    },
    add: (key, now) => put(key, { attempts: attemptsOf(counter.get(key), now) + 1, lastAt: now }),
    subtract(key) {
      const count = counter.get(key)
      if (count !== undefined) counter.set(key, { ...count, attempts: count.attempts - 1 })
    },
    clear: (key) => void counter.delete(key),
  }
}

function openRecentSet() {
  const keys = new Set<string>()
  return {
    has: (key: string) => keys.has(key),
    add(key: string) {
      keys.delete(key)
      keys.add(key)
      dropOldest(keys)
    },
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>): void {
  const oldest = entries.size > maxCounters ? entries.keys().next().value : undefined
  if (oldest !== undefined) entries.delete(oldest)
}
