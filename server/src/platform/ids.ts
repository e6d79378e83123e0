import { randomBytes, randomUUID } from 'node:crypto'

/** A new random identifier (UUID version 4). */
export function newId(): string {
  return randomUUID()
}

/** A secret nobody can guess: `bytes` random bytes as lower-case hexadecimal. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
