import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Unavailable } from './failure.ts'

/*
 * Passwords as argon2id hashes in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. A hash takes 19 MiB
 * and tens of milliseconds on purpose, so only a few are computed at once.
 */

export interface Passwords {
  /** Throws `Unavailable` when too many are waiting. */
  hash(password: string): Promise<string>

  /**
   * Whether the password matches. Without a hash (unknown person, or no password) it is false after the same work, so
   * that the time reveals nothing. Throws `Unavailable` like `hash`.
   */
  verify(password: string, hash: string | null): Promise<boolean>
}

const atOnce = 4

/** About two seconds of work on a small machine; further callers are refused. */
const maxWaiting = 64

const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

export function openPasswords(): Passwords {
  const acquireSlot = turns(atOnce, maxWaiting)
  // Random, so that no password matches.
  const dummyHash = written(cost, randomBytes(saltBytes), randomBytes(hashBytes))
  return {
    hash(password) {
      return acquireSlot(async () => {
        const salt = randomBytes(saltBytes)
        return written(cost, salt, await derived(password, salt, cost, hashBytes))
      })
    },

    async verify(password, hash) {
      const expected = read(hash ?? dummyHash)
      return await acquireSlot(async () => {
        const { salt, tag } = expected
        return timingSafeEqual(await derived(password, salt, expected.cost, tag.byteLength), tag)
      })
    },
  }
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

/** Runs at most `running` tasks at once; up to `waiting` more wait in order. */
function turns(running: number, waiting: number) {
  let free = running
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else if (queue.length >= waiting) {
      throw new Unavailable('Too many people are signing in at once. Try again in a moment.', 2)
    } else await new Promise<void>((resume) => queue.push(resume))
    try {
      return await work()
    } finally {
      // Passed to the next waiting task, or released.
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
