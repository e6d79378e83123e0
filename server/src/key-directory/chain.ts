import { hash } from 'node:crypto'
import { canonicalJson } from '@assay/contract/canonical-json.ts'
import type { KeyStatement } from '@assay/contract/encryption-keys.ts'
import { type Chain, type Device, listActive } from '@assay/contract/key-chain.ts'
import {
  deviceFingerprintInput,
  fingerprintGroups,
  formatFingerprint,
  type KeyOwner,
  personFingerprintInput,
} from '@assay/contract/key-fingerprints.ts'

/*
 * The bytes and hash of a statement, and the fingerprints of the keys of a chain.
 */

export function bytesOf(statement: KeyStatement): Buffer {
  return Buffer.from(canonicalJson(statement))
}

export function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url')
}

export function personFingerprint(owner: KeyOwner, chain: Chain): string {
  const input = personFingerprintInput(owner, chain.generation, listActive(chain))
  return formatFingerprint(hash('sha256', input), fingerprintGroups.person)
}

export function deviceFingerprint(owner: KeyOwner, device: Device): string {
  const input = deviceFingerprintInput(owner, device)
  return formatFingerprint(hash('sha256', input), fingerprintGroups.device)
}
