import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import { canonicalJson } from '@assay/contract/canonical-json.ts'
import { exportPublicKey } from './public-keys.ts'

/*
 * The log of the statements of an organization: a chain of hashes whose head the service signs, so that a client notices
 * when it is shown an older state than before.
 */

export interface LogHead {
  readonly size: number
  readonly hash: string
}

export interface LogKey {
  /** PKCS #8 in base64url. */
  readonly privateKey: string
  readonly publicKey: string
}

export function newLogKey(): LogKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { privateKey: der.toString('base64url'), publicKey: exportPublicKey(publicKey) }
}

export function emptyLog(organizationId: string): LogHead {
  return { size: 0, hash: hash('sha256', `assay-e2e-log-v1 ${organizationId}`, 'base64url') }
}

/** The hash of the bytes of both hashes. */
export function appendToLog({ size, hash: before }: LogHead, statementHash: string): LogHead {
  const bytes = Buffer.concat([before, statementHash].map((one) => Buffer.from(one, 'base64url')))
  return { size: size + 1, hash: hash('sha256', bytes, 'base64url') }
}

/** Signs `{"hash":…,"org":…,"size":…,"v":1}`. */
export function signLog(head: LogHead, organizationId: string, privateKey: string): string {
  const key = Buffer.from(privateKey, 'base64url')
  const signing = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return sign(null, logBytes(head, organizationId), signing).toString('base64url')
}

function logBytes({ size, hash: head }: LogHead, org: string): Buffer {
  return Buffer.from(canonicalJson({ v: 1, org, size, hash: head }))
}

export function logKeyId(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64url'), 'base64url')
}
