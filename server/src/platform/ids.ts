import { randomBytes, randomUUID } from 'node:crypto'

/** A new random identifier (UUID version 4). */
export function newId(): string {
  return randomUUID()
}

// Keeps time and count together within the integers that a double represents exactly.
const idsPerMs = 1000
let newest = 0

/**
 * A UUID version 7 that sorts as text after all ids of this process, and by time among those of other processes.
 */
export function newOrderedId(): string {
  newest = Math.max(newest + 1, Date.now() * idsPerMs)
  const ms = Math.floor(newest / idsPerMs)
    .toString(16)
    .padStart(12, '0')
  const ofMs = (newest % idsPerMs).toString(16).padStart(3, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${ofMs}-${randomUUID().slice(19)}`
}

/** A secret nobody can guess: `bytes` random bytes as lower-case hexadecimal. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
