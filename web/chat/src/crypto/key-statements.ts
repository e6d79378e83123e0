import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import type { DeviceKeyPairs } from './device-keys.ts'

/*
 * Signs the statements of the key directory, and proves possession of new keys, with WebCrypto only.
 */

export interface ChainHead {
  readonly seq: number
  readonly head: string | null
}

export interface ReceivedChallenge {
  readonly id: string
  readonly nonce: string
  readonly kem_pub: string
}

export interface NewStatement {
  readonly type: KeyStatement['type']
  readonly owner: KeyOwner
  /** That the statement continues. */
  readonly after: ChainHead
  readonly challenge: ReceivedChallenge
  readonly device: DeviceKeyPairs
  /** Default: the device itself. */
  readonly by?: DeviceKeyPairs
  readonly label: string
}

export interface SignedStatement {
  readonly challenge_id: string
  readonly statement: KeyStatement
  readonly sig_new: string | null
  readonly sig_by: string
  readonly kem_mac: string | null
}

/** A statement with its proofs. */
export function signNew(parts: NewStatement): Promise<SignedStatement> {
  return signStatement(toStatement(parts), parts)
}

/** The proofs of a statement, whatever it says. */
export async function signStatement(
  statement: KeyStatement,
  { challenge, device, by = device }: Pick<NewStatement, 'challenge' | 'device' | 'by'>,
): Promise<SignedStatement> {
  const bytes = bytesOf(statement)
  const addsKeys = statement.type !== 'revoke'
  return {
    challenge_id: challenge.id,
    statement,
    sig_new: addsKeys ? await signature(device, bytes) : null,
    sig_by: await signature(by, bytes),
    kem_mac: addsKeys ? await kemMac(device, challenge, bytes) : null,
  }
}

export async function headAfter(
  statement: KeyStatement,
): Promise<{ readonly seq: number; readonly head: string }> {
  const hash = await crypto.subtle.digest('SHA-256', bytesOf(statement))
  return { seq: statement.seq, head: toBase64url(hash) }
}

export function toStatement(parts: NewStatement): KeyStatement {
  const { type, owner, after, challenge, device, by = device, label } = parts
  const common = {
    ...({ v: 1, suite: 1, ...owner, label, nonce: challenge.nonce } as const),
    ...{ seq: after.seq + 1, prev: after.head, device: device.id, by: by.id },
    created_at: new Date().toISOString(),
  }
  if (type === 'revoke') return { ...common, type, sign_pub: null, kem_pub: null }
  return { ...common, type, sign_pub: device.sign_pub, kem_pub: device.kem_pub }
}

async function signature({ sign }: DeviceKeyPairs, bytes: Uint8Array<ArrayBuffer>) {
  return toBase64url(await crypto.subtle.sign('Ed25519', sign.privateKey, bytes))
}

async function kemMac(
  { kem }: DeviceKeyPairs,
  { kem_pub, nonce }: ReceivedChallenge,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const theirs = await crypto.subtle.importKey('raw', fromBase64url(kem_pub), 'X25519', false, [])
  const agreement = { name: 'X25519', public: theirs }
  const shared = await crypto.subtle.deriveBits(agreement, kem.privateKey, 256)
  const ikm = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const derivation = {
    ...{ name: 'HKDF', hash: 'SHA-256', salt: fromBase64url(nonce) },
    info: new TextEncoder().encode('assay-e2e-kem-v1'),
  }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const key = await crypto.subtle.deriveKey(derivation, ikm, hmac, false, ['sign'])
  return toBase64url(await crypto.subtle.sign('HMAC', key, bytes))
}

export const bytesOf = (statement: KeyStatement) =>
  new TextEncoder().encode(canonicalJson(statement))
