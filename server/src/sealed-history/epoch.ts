import type { Chain } from '@assay/contract/key-chain.ts'
import { listActive } from '@assay/contract/key-chain.ts'
import { limits } from '@assay/contract/limits.ts'
import { findKemKeyProblem } from '@assay/contract/public-key-problems.ts'

/*
 * The epochs of an encrypted conversation: when a new one has to begin, and for whom its mailbox opens.
 */

/** Clients may compare these messages: they do not change. */
export const epochRefusals = {
  required:
    'This project keeps encrypted history only. Set up encryption in this browser, then send the message again.',
  'no device': 'You have no active device. Enroll one first.',
  'new epoch': 'The keys of this conversation are out of date. Send the message with a new epoch.',
  epoch: 'epoch must be one more than that of the conversation. Read the conversation again.',
  recipients:
    'keys must be for exactly your active devices and recovery keys. Read your keys again.',
  mailbox: 'mailbox_pub is not a valid key.',
} as const
export type EpochRefusal = keyof typeof epochRefusals

export interface StoredEpoch {
  readonly epoch: number
  /** The position of the person's chain when it began. */
  readonly chain_seq: number
  readonly created_at: string
}

export interface NewEpoch {
  readonly epoch: number
  readonly mailbox_pub: string
  readonly keys: readonly { readonly device: string }[]
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
  const recipients = new Set(given.keys.map(({ device }) => device))
  const areExact =
    recipients.size === given.keys.length &&
    recipients.size === active.length &&
    active.every(({ id }) => recipients.has(id))
  return areExact ? undefined : 'recipients'
}
