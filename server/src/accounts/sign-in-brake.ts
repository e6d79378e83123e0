import { clientNetworkOf } from '../platform/client-network.ts'
import type { Clock } from '../platform/clock.ts'
import { Failure } from '../platform/failure.ts'

/*
 * Slows down guessing. Attempts are counted for the address they are made at, whether or not there is an account
 * for it, and for the network they come from; after the first few the next has to wait, longer each time. In
 * memory: a restart forgets, which costs an attacker more than it gives.
 */

export interface SignInBrake {
  /** An attempt at an address; counts until it is told to have succeeded. Throws RATE_LIMITED. */
  enter(emailKey: string, clientAddress: string): Attempt
  /** An attempt that is made at no address in particular. Throws RATE_LIMITED. */
  enterNetwork(clientAddress: string): Attempt
}

export interface Attempt {
  succeeded(): void
}

interface Pace {
  /** So many attempts in a row do not wait. */
  readonly free: number
  /** After so long without an attempt one is forgotten. */
  readonly forgetMs: number
}

// A network may be an office full of people; an account is one person with a few passwords in mind.
const accountPace: Pace = { free: 5, forgetMs: 3 * 60_000 }
const networkPace: Pace = { free: 30, forgetMs: 20_000 }

const firstWaitMs = 1_000
const longestWaitMs = 60_000

/** Of each kind. Who was counted longest ago is forgotten first. */
export const mostTallies = 10_000

export function openSignInBrake(clock: Clock): SignInBrake {
  const accounts = openTallies(accountPace)
  const networks = openTallies(networkPace)
  const familiar = openRecentSet()
  const enter = (counted: readonly (readonly [Tallies, string])[]): Attempt => {
    const now = clock.now().getTime()
    const waitMs = Math.max(...counted.map(([tallies, key]) => tallies.waitMs(key, now)))
    if (waitMs > 0) throw tooSoon(waitMs)
    for (const [tallies, key] of counted) tallies.add(key, now)
    return {
      succeeded() {
        for (const [tallies, key] of counted) tallies.subtract(key)
      },
    }
  }
  return {
    enter(emailKey, clientAddress) {
      const network = clientNetworkOf(clientAddress)
      const ownKey = `${emailKey} ${network}`
      // Whoever has signed in from here before is not kept out by what others try elsewhere.
      const accountKey = familiar.has(ownKey) ? ownKey : emailKey
      const { succeeded } = enter([
        [accounts, accountKey],
        [networks, network],
      ])
      return {
        succeeded() {
          succeeded()
          accounts.clear(accountKey)
          familiar.add(ownKey)
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

interface Tally {
  readonly attempts: number
  readonly lastAt: number
}

interface Tallies {
  waitMs(key: string, now: number): number
  add(key: string, now: number): void
  subtract(key: string): void
  clear(key: string): void
}

function openTallies({ free, forgetMs }: Pace): Tallies {
  // In the order of their last attempts.
  const tallies = new Map<string, Tally>()
  const put = (key: string, tally: Tally) => {
    tallies.delete(key)
    tallies.set(key, tally)
    dropOldest(tallies)
  }
  const attemptsOf = (tally: Tally | undefined, now: number) =>
    tally === undefined
      ? 0
      : Math.max(0, tally.attempts - Math.floor((now - tally.lastAt) / forgetMs))
  return {
    waitMs(key, now) {
      const tally = tallies.get(key)
      const over = attemptsOf(tally, now) - free
      if (tally === undefined || over < 0) return 0
      return tally.lastAt + Math.min(longestWaitMs, firstWaitMs * 2 ** over) - now
    },
    add: (key, now) => put(key, { attempts: attemptsOf(tallies.get(key), now) + 1, lastAt: now }),
    subtract(key) {
      const tally = tallies.get(key)
      if (tally !== undefined) tallies.set(key, { ...tally, attempts: tally.attempts - 1 })
    },
    clear: (key) => void tallies.delete(key),
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

function dropOldest(held: Map<string, unknown> | Set<string>): void {
  const oldest = held.size > mostTallies ? held.keys().next().value : undefined
  if (oldest !== undefined) held.delete(oldest)
}
