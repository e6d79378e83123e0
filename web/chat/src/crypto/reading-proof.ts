import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type ReadingProof, readingProofData } from '@assay/contract/sealed-history.ts'
import { toBase64url } from './base64url.ts'
import type { DeviceKeyPairs } from './device-keys.ts'
import type { ReceivedChallenge } from './key-statements.ts'

/** Proves that the device reads the reply. */
export async function signReadingProof(
  messageId: string,
  owner: KeyOwner,
  { id: device, sign }: Pick<DeviceKeyPairs, 'id' | 'sign'>,
  { id: challenge_id, nonce }: Pick<ReceivedChallenge, 'id' | 'nonce'>,
): Promise<ReadingProof> {
  const bytes = new TextEncoder().encode(readingProofData(owner, { device, nonce }, messageId))
  const signature = toBase64url(await crypto.subtle.sign('Ed25519', sign.privateKey, bytes))
  return { device, challenge_id, nonce, signature }
}
