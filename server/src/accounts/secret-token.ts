import { createHash, randomBytes } from 'node:crypto'

/*
 * Tokens that open something by themselves: sessions, invites, password links, hand-offs. They are random and
 * long, so a plain hash of them is as good as a slow one, and nothing else of them is stored.
 */

/** 32 random bytes, in letters that need no escaping in addresses and cookies. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const form = /^[A-Za-z0-9_-]{43}$/

/** Whether it looks like a token of ours. */
export function isToken(text: string): boolean {
  return form.test(text)
}

/** SHA-256, hexadecimal. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
