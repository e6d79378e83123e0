import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { limits } from '@assay/contract/limits.ts'
import { exportPublicKey, importKemPrivateKey } from './public-keys.ts'

/*
 * Challenges are not stored, so that nobody can fill the database with them: the nonce has the time of expiry, the id
 * authenticates nonce and owner, and the private key is derived from them. A statement uses its challenge up, because the
 * chain contains its nonce from then on.
 */

export interface Challenge {
  readonly id: string
  readonly nonce: string
  readonly kem_pub: string
  readonly expires_at: string
}

const timeBytes = 8
const randomPartBytes = 24
const lifetimeMs = limits.keyChallengeMinutes.value * 60_000

/** `secret` is the key of the service for challenges. */
export function issueChallenge(secret: Uint8Array, owner: KeyOwner, now: Date): Challenge {
  const expiresAt = now.getTime() + lifetimeMs
  const time = Buffer.alloc(timeBytes)
  time.writeBigUInt64BE(BigInt(expiresAt))
  const nonce = Buffer.concat([time, randomBytes(randomPartBytes)]).toString('base64url')
  return {
    id: idOf(secret, owner, nonce),
    nonce,
    kem_pub: exportPublicKey(privateKeyOf(secret, owner, nonce)),
    expires_at: new Date(expiresAt).toISOString(),
  }
}

/** The private key of the challenge; undefined when it was not issued to the owner, or has expired. */
export function openChallenge(
  secret: Uint8Array,
  owner: KeyOwner,
  { id, nonce }: Pick<Challenge, 'id' | 'nonce'>,
  now: Date,
): KeyObject | undefined {
  const [given, expected] = [Buffer.from(id), Buffer.from(idOf(secret, owner, nonce))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const expiresAt = Buffer.from(nonce, 'base64url').readBigUInt64BE()
  if (expiresAt <= BigInt(now.getTime())) return undefined
  return privateKeyOf(secret, owner, nonce)
}

/** A UUID with 122 bits of the HMAC. */
function idOf(secret: Uint8Array, owner: KeyOwner, nonce: string): string {
  const bytes = derive(secret, 'id', owner, nonce)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, at) => hex.slice(at === 0 ? 0 : ends[at - 1], end)).join('-')
}

function privateKeyOf(secret: Uint8Array, owner: KeyOwner, nonce: string): KeyObject {
  return importKemPrivateKey(derive(secret, 'kem', owner, nonce))
}

function derive(secret: Uint8Array, what: string, { org, user }: KeyOwner, nonce: string): Buffer {
  return createHmac('sha256', secret)
    .update(canonicalJson([what, org, user, nonce]))
    .digest()
}
