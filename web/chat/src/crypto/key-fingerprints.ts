import { type Chain, type Device, listActive } from '@assay/contract/key-chain.ts'
import {
  deviceFingerprintInput,
  fingerprintGroups,
  formatFingerprint,
  type KeyOwner,
  personFingerprintInput,
} from '@assay/contract/key-fingerprints.ts'

/*
 * Fingerprints, computed from verified keys: those that the server sends are not shown.
 */

export async function personFingerprint(owner: KeyOwner, chain: Chain): Promise<string> {
  const input = personFingerprintInput(owner, chain.generation, listActive(chain))
  return formatFingerprint(await sha256Hex(input), fingerprintGroups.person)
}

export async function deviceFingerprint(owner: KeyOwner, device: Device): Promise<string> {
  const input = deviceFingerprintInput(owner, device)
  return formatFingerprint(await sha256Hex(input), fingerprintGroups.device)
}

async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0'))
  return hex.join('')
}
