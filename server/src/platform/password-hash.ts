import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { openFairSlots } from './fair-slots.ts'
import type { Waiter } from './requester.ts'

/*
 * Passwords as argon2id hashes in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. A hash takes 19 MiB
 * and tens of milliseconds on purpose, so only a few are computed at once.
 */

export interface Passwords {
  /** Throws `Unavailable` when too many are waiting. Waiters take turns by owner. */
  hash(password: string, waiter: Waiter): Promise<string>

  /**
   * Whether the password matches. Without a hash (unknown person, or no password) it is false after the same work, so
   * that the time reveals nothing. Throws `Unavailable` like `hash`.
   */
  verify(password: string, hash: string | null, waiter: Waiter): Promise<boolean>
}

/**
 * How many are computed at once, in total three: Node has four threads for them, and one is left for files and DNS.
 * Signing in has a queue of its own, which nothing else can fill.
 */
export const passwordsAtOnce = { signIn: 2, others: 1 } as const

/** About two seconds of work on a small machine; further callers are refused. */
const waitingMax = 64

const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

export function openPasswords(runningMax: number): Passwords {
  const inTurn = openFairSlots({
    ...{ runningMax, waitingMax },
    refusal: 'Too many passwords are being checked at once. Try again in a moment.',
  })
  // Random, so that no password matches.
  const dummyHash = written(cost, randomBytes(saltBytes), randomBytes(hashBytes))
  return {
    hash: (password, waiter) => inTurn(waiter, () => hashPassword(password)),

    async verify(password, hash, waiter) {
      const expected = read(hash ?? dummyHash)
      return await inTurn(waiter, async () => {
        const { salt, tag } = expected
        return timingSafeEqual(await derived(password, salt, expected.cost, tag.byteLength), tag)
      })
    },
  }
}

/** Without waiting for a turn. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  return written(cost, salt, await derived(password, salt, cost, hashBytes))
}

type Cost = typeof cost

const argon2Async = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>

// Keyboards compose letters differently; NFKC makes them one password.
function derived(password: string, nonce: Buffer, of: Cost, tagLength: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'))
  return argon2Async('argon2id', { message, nonce, tagLength, ...of })
}

function written({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  const settings = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${settings}$${unpadded(salt)}$${unpadded(tag)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function read(hash: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const match = form.exec(hash)
  if (match === null) throw new Error('a stored password hash is not in the form it was written in')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
