import type { Chain } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { type ReadingProof, readingProofData } from '@assay/contract/sealed-history.ts'
import { isSigned } from './public-keys.ts'

/** Whether an active device of the chain has signed that it reads the reply. The caller checks the challenge. */
export function isFromDevice(
  proof: ReadingProof,
  messageId: string,
  owner: KeyOwner,
  { devices }: Pick<Chain, 'devices'>,
): boolean {
  const device = devices.get(proof.device)
  if (device?.status !== 'active' || device.type !== 'device') return false
  const bytes = Buffer.from(readingProofData(owner, proof, messageId))
  return isSigned(bytes, device.sign_pub, proof.signature)
}
