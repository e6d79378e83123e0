import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyDirectory, SignedKeyStatement } from '@assay/contract/encryption-keys.ts'
import { buildChain, type Chain, checkRoles } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { findKemKeyProblem, findSigningKeyProblem } from '@assay/contract/public-key-problems.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { EncryptionProblem } from './encryption-problem.ts'
import { bytesOf, headAfter } from './key-statements.ts'

/*
 * Verifies what the server shows of the key directory. Nothing of it is believed without a signature: devices follow
 * from the statements, and neither these nor the log of the organization may go back behind what was seen before.
 */

/** What a browser has seen of a person and organization, and does not let go of. */
export interface Pin {
  readonly log: { readonly size: number; readonly hash: string; readonly key_id: string }
  readonly chain: { readonly seq: number; readonly head: string | null }
}

export interface VerifiedDirectory {
  readonly owner: KeyOwner
  readonly chain: Chain
  /** To keep for the next time. */
  readonly pin: Pin
}

/** Throws an EncryptionProblem. `userId`: of the signed-in user. */
export async function verifyDirectory(
  { org_id, me, log_head }: Pick<KeyDirectory, 'org_id' | 'me' | 'log_head'>,
  userId: string,
  pinned: Pin | undefined,
): Promise<VerifiedDirectory> {
  const owner = { org: org_id, user: userId }
  if (me.user_id !== userId) throw invalid('The keys are those of somebody else.')
  const hashes: string[] = []
  const { chain, add } = buildChain()
  for (const signed of me.statements) {
    await verifyStatement(signed, owner, chain)
    const { head } = await headAfter(signed.statement)
    hashes.push(head)
    add(signed.statement, head, signed.statement.created_at)
  }
  if (me.head !== chain.head || me.generation !== chain.generation) {
    throw invalid('The list of your devices does not follow from its statements.')
  }
  await verifyLogHead(org_id, log_head)
  const { size, hash, key_id } = log_head
  if (size < chain.seq) throw invalid('The log of the organization lacks statements of yours.')
  if (pinned !== undefined) comparePin(pinned, log_head, hashes)
  const pin = { log: { size, hash, key_id }, chain: { seq: chain.seq, head: chain.head } }
  return { owner, chain, pin }
}

async function verifyStatement(
  { statement, sig_new, sig_by }: SignedKeyStatement,
  owner: KeyOwner,
  chain: Chain,
): Promise<void> {
  const { seq, prev, user, org, type } = statement
  const continues = seq === chain.seq + 1 && prev === chain.head
  if (!continues || user !== owner.user || org !== owner.org || chain.nonces.has(statement.nonce)) {
    throw invalid(`Statement ${seq} about your keys does not continue the one before.`)
  }
  if (checkRoles(statement, chain) !== undefined || reusesKeys(statement, chain)) {
    throw invalid(`Statement ${seq} about your keys is not allowed.`)
  }
  const bytes = bytesOf(statement)
  if (type !== 'revoke') {
    const problem =
      findSigningKeyProblem(statement.sign_pub) ?? findKemKeyProblem(statement.kem_pub)
    if (problem !== undefined) throw invalid(`Statement ${seq} has a key that protects nothing.`)
    if (sig_new === null || !(await isSigned(bytes, statement.sign_pub, sig_new))) {
      throw invalid(`Statement ${seq} is not signed by its new key.`)
    }
  }
  const signsItself = seq === 1 || type === 'reset'
  const by = signsItself ? statement.sign_pub : chain.devices.get(statement.by)?.sign_pub
  if (!by || !(await isSigned(bytes, by, sig_by))) {
    throw invalid(`Statement ${seq} about your keys is not signed by one of your devices.`)
  }
}

function reusesKeys(
  { type, device, sign_pub, kem_pub }: SignedKeyStatement['statement'],
  chain: Chain,
) {
  if (type === 'revoke') return false
  if (type !== 'rotate' && chain.devices.has(device)) return true
  const known = [...chain.devices.values()].flatMap((one) => [one.sign_pub, one.kem_pub])
  return sign_pub === kem_pub || known.includes(sign_pub) || known.includes(kem_pub)
}

async function verifyLogHead(org: string, head: KeyDirectory['log_head']): Promise<void> {
  const { size, hash, signature, key_id, public_key } = head
  const keyHash = await crypto.subtle.digest('SHA-256', fromBase64url(public_key))
  const bytes = new TextEncoder().encode(canonicalJson({ v: 1, org, size, hash }))
  const isGenuine =
    findSigningKeyProblem(public_key) === undefined &&
    toBase64url(keyHash) === key_id &&
    (await isSigned(bytes, public_key, signature))
  if (!isGenuine) throw invalid('The log of the organization is not signed by its key.')
}

function comparePin(pinned: Pin, head: KeyDirectory['log_head'], hashes: readonly string[]): void {
  const { log, chain } = pinned
  if (head.key_id !== log.key_id) {
    throw invalid('The log of the organization has another key than before.')
  }
  const isOlder = head.size < log.size || hashes.length < chain.seq
  if (isOlder) {
    throw new EncryptionProblem(
      'older',
      'The server shows older keys than this browser has already seen. Ask your administrator whether a backup was restored.',
    )
  }
  const forks =
    (head.size === log.size && head.hash !== log.hash) ||
    (chain.seq > 0 && hashes[chain.seq - 1] !== chain.head)
  if (forks) throw invalid('The server shows other keys than this browser has already seen.')
}

async function isSigned(
  bytes: Uint8Array<ArrayBuffer>,
  key: string,
  signature: string,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', fromBase64url(key), 'Ed25519', false, [
    'verify',
  ])
  return await crypto.subtle.verify('Ed25519', imported, fromBase64url(signature), bytes)
}

function invalid(what: string): EncryptionProblem {
  const todo = 'Nothing is encrypted for these keys. Contact your administrator.'
  return new EncryptionProblem('invalid', `${what} ${todo}`)
}
