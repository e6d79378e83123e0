import { randomBytes } from 'node:crypto'
import { limits } from '@assay/contract/limits.ts'
import { expect, test } from 'vitest'
import { issueChallenge, openChallenge } from './challenge.ts'
import { exportPublicKey } from './public-keys.ts'

const secret = randomBytes(32)
const owner = { org: 'an organization', user: 'a user' }
const at = Date.parse('2026-05-01T08:00:00.000Z')
const after = (ms: number) => new Date(at + ms)
const lifetimeMs = limits.keyChallengeMinutes.value * 60_000

test('a challenge is a UUID with a new nonce and key each time, and expires after five minutes', () => {
  const [one, other] = [
    issueChallenge(secret, owner, after(0)),
    issueChallenge(secret, owner, after(0)),
  ]
  expect(one.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(one.expires_at).toBe('2026-05-01T08:05:00.000Z')
  expect(new Set([one.id, other.id, one.nonce, other.nonce, one.kem_pub, other.kem_pub]).size).toBe(
    6,
  )
})

test('a challenge opens to the private key of its public key until it expires', () => {
  const challenge = issueChallenge(secret, owner, after(0))
  for (const ms of [0, lifetimeMs - 1]) {
    const key = openChallenge(secret, owner, challenge, after(ms))
    expect(key && exportPublicKey(key)).toBe(challenge.kem_pub)
  }
  expect(openChallenge(secret, owner, challenge, after(lifetimeMs))).toBeUndefined()
})

test('a challenge opens for no other person, organization, nonce, id or service', () => {
  const challenge = issueChallenge(secret, owner, after(0))
  const other = issueChallenge(secret, owner, after(0))
  const later = Buffer.from(challenge.nonce, 'base64url')
  later.writeUInt8(0xff, 0)
  const open = (changed: object, by: object = {}, key: Uint8Array = secret) =>
    openChallenge(key, { ...owner, ...by }, { ...challenge, ...changed }, after(0))
  expect(open({})).toBeDefined()
  for (const refused of [
    open({}, { user: 'another user' }),
    open({}, { org: 'another organization' }),
    open({ nonce: other.nonce }),
    open({ nonce: later.toString('base64url') }),
    open({ nonce: 'A'.repeat(22) }),
    open({ id: other.id }),
    open({ id: '' }),
    open({ id: challenge.id.toUpperCase() }),
    open({}, {}, randomBytes(32)),
  ]) {
    expect(refused).toBeUndefined()
  }
})
