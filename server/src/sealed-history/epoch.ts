import type { EpochRefusal } from '@assay/contract/encryption-refusals.ts'
import type { Chain } from '@assay/contract/key-chain.ts'
import { listActive } from '@assay/contract/key-chain.ts'
import { limits } from '@assay/contract/limits.ts'
import { findKemKeyProblem } from '@assay/contract/public-key-problems.ts'

/*
 * The epochs of an encrypted conversation: when a new one has to begin, and for whom its mailbox opens.
 */

export interface StoredEpoch {
  readonly epoch: number
  /** The position of the person's chain when it began. */
  readonly chain_seq: number
  readonly created_at: string
}

export interface NewEpoch {
  readonly epoch: number
  readonly mailbox_pub: string
  readonly keys: readonly { readonly device: string; readonly kem_pub: string }[]
}

const dayMs = 86_400_000

/** Whether texts may not be sealed for the epoch any more: keys were taken away since, or it is too old. */
export function isOver(epoch: StoredEpoch, { removalSeq }: Chain, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(epoch.created_at)
  return removalSeq > epoch.chain_seq || ageMs >= limits.epochDays.value * dayMs
}

/** Whether a new epoch may follow `last` (0: none). */
export function checkNewEpoch(
  given: NewEpoch,
  last: number,
  chain: Chain,
): EpochRefusal | undefined {
  const active = listActive(chain)
  if (!active.some(({ type }) => type === 'device')) return 'no device'
  if (given.epoch !== last + 1) return 'epoch'
  if (findKemKeyProblem(given.mailbox_pub) !== undefined) return 'mailbox'
  // A client that has not read a rotation yet would seal for the earlier key.
  const recipients = new Map(given.keys.map(({ device, kem_pub }) => [device, kem_pub]))
  const areExact =
    recipients.size === given.keys.length &&
    recipients.size === active.length &&
    active.every(({ id, kem_pub }) => recipients.get(id) === kem_pub)
  return areExact ? undefined : 'recipients'
}
