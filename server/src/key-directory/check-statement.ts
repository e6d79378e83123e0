import {
  createHmac,
  diffieHellman,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import type { EnrollRefusal } from '@assay/contract/encryption-refusals.ts'
import { type Chain, checkRoles, listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { limits } from '@assay/contract/limits.ts'
import { findKemKeyProblem, findSigningKeyProblem } from '@assay/contract/public-key-problems.ts'
import { bytesOf } from './chain.ts'
import { importPublicKey, isSigned } from './public-keys.ts'

/*
 * Whether a statement may continue a chain. Pure: the caller reads the chain, and stores the statement only if the head
 * is then still the same.
 */

export interface Submission {
  readonly statement: KeyStatement
  readonly sig_new: string | null
  readonly sig_by: string
  readonly kem_mac: string | null
}

export interface CheckedAgainst {
  readonly owner: KeyOwner
  readonly chain: Chain
  /** The private key of the challenge with the nonce of the statement; undefined when it is not valid. */
  readonly challenge: KeyObject | undefined
  /** Which of `listUses` were used before, by anyone. */
  readonly used: ReadonlySet<string>
}

/** The first refusal in the order of `enrollRefusals`. */
export function checkStatement(
  submission: Submission,
  against: CheckedAgainst,
): EnrollRefusal | undefined {
  const { statement } = submission
  const { chain, challenge } = against
  if (challenge === undefined || chain.nonces.has(statement.nonce)) return 'challenge'
  return (
    checkPosition(statement, against) ??
    checkRoles(statement, chain) ??
    checkUses(statement, against) ??
    checkProofs(submission, chain, challenge) ??
    checkDevices(statement, chain)
  )
}

/** What a statement uses up: its keys and the id of a new device, hashed. */
export function listUses(statement: KeyStatement): readonly string[] {
  const { keys, device } = usesOf(statement)
  return device === undefined ? keys : [...keys, device]
}

function usesOf({ type, device, sign_pub, kem_pub }: KeyStatement) {
  const hashed = (kind: string, value: string) => hash('sha256', `${kind} ${value}`, 'base64url')
  if (type === 'revoke') return { keys: [], device: undefined }
  return {
    // Of either kind, so that no key is used for both.
    keys: [sign_pub, kem_pub].map((key) => hashed('key', key)),
    device: type === 'rotate' ? undefined : hashed('device', device),
  }
}

function checkPosition(
  { user, org, seq, prev, type }: KeyStatement,
  { owner, chain }: CheckedAgainst,
): EnrollRefusal | undefined {
  if (user !== owner.user || org !== owner.org) return 'owner'
  if (seq !== chain.seq + 1 || prev !== chain.head) return 'chain'
  const { keyStatements, reservedKeyStatements } = limits
  if (seq > keyStatements.value) return 'completely full'
  const isReserved = seq > keyStatements.value - reservedKeyStatements.value
  return isReserved && type !== 'revoke' && type !== 'reset' ? 'full' : undefined
}

function checkUses(statement: KeyStatement, { used }: CheckedAgainst): EnrollRefusal | undefined {
  const { type, sign_pub, kem_pub } = statement
  if (type === 'revoke') return undefined
  const { keys, device } = usesOf(statement)
  if (device !== undefined && used.has(device)) return 'used device'
  const problems = [findSigningKeyProblem(sign_pub), findKemKeyProblem(kem_pub)]
  const problem = problems.find((one) => one === 'small order') ?? problems.find(Boolean)
  if (problem !== undefined) return problem
  return sign_pub === kem_pub || keys.some((key) => used.has(key)) ? 'used key' : undefined
}

function checkProofs(
  { statement, sig_new, sig_by, kem_mac }: Submission,
  { devices }: Chain,
  challenge: KeyObject,
): EnrollRefusal | undefined {
  const bytes = bytesOf(statement)
  if (statement.type !== 'revoke') {
    const { sign_pub, kem_pub, nonce } = statement
    if (sig_new === null || !isSigned(bytes, sign_pub, sig_new)) return 'sig_new'
    const expected = macOf(bytes, challenge, kem_pub, nonce)
    const given = Buffer.from(kem_mac ?? '', 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'kem_mac'
  }
  const signsItself = statement.seq === 1 || statement.type === 'reset'
  const key = signsItself ? statement.sign_pub : devices.get(statement.by)?.sign_pub
  return key && isSigned(bytes, key, sig_by) ? undefined : 'sig_by'
}

/** As the client computes it from its new private key and the public key of the challenge. */
function macOf(bytes: Uint8Array, challenge: KeyObject, kemPub: string, nonce: string): Buffer {
  const publicKey = importPublicKey('X25519', kemPub)
  const shared = diffieHellman({ privateKey: challenge, publicKey })
  const salt = Buffer.from(nonce, 'base64url')
  const key = hkdfSync('sha256', shared, salt, 'assay-e2e-kem-v1', 32)
  return createHmac('sha256', Buffer.from(key)).update(bytes).digest()
}

function checkDevices({ type }: KeyStatement, chain: Chain): EnrollRefusal | undefined {
  if (type !== 'enroll') return undefined
  const active = listActive(chain).filter((device) => device.type === 'device')
  return active.length < limits.activeDevices.value ? undefined : 'too many devices'
}
