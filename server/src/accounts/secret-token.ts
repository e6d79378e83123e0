import { createHash, randomBytes } from 'node:crypto'

/*
 * Bearer tokens: sessions, invites, password links, session transfers. They are long and random, so a plain hash
 * is as safe as a slow one, and only the hash is stored.
 */

/** 32 random bytes in base64url, which needs no escaping in URLs and cookies. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const form = /^[A-Za-z0-9_-]{43}$/

/** Whether the text has the form of a token. */
export function isToken(text: string): boolean {
  return form.test(text)
}

/** SHA-256, hexadecimal. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
