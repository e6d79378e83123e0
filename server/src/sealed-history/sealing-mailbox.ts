import { type EpochRefusal, epochRefusals } from '@assay/contract/encryption-refusals.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { NewEpoch } from '@assay/contract/sealed-history.ts'
import { type ChainLockStores, lockChain } from '../key-directory/lock-chain.ts'
import { type ReadChainPorts, readChain } from '../key-directory/read-chain.ts'
import type { Clock } from '../platform/clock.ts'
import { Failure } from '../platform/failure.ts'
import type { AccountStores } from '../storage/accounts/stores.ts'
import { checkNewEpoch, isOver } from './epoch.ts'

/*
 * The mailbox that the texts of an encrypted conversation are sealed for now: that of its last epoch, or of one that
 * begins with the request.
 */

export interface SealingMailbox {
  readonly epoch: number
  readonly mailbox_pub: string
  /** The keys to store with what is sealed; undefined: the epoch is stored. */
  readonly begun: NewEpoch['keys'] | undefined
  readonly owner: KeyOwner
  /** The position of the owner's chain when it was found. */
  readonly chainSeq: number
}

export interface SealingPorts {
  readonly accounts: ReadChainPorts['accounts'] & Pick<AccountStores, 'mailboxes'>
  readonly chainTurns: ReadChainPorts['chainTurns']
  readonly clock: Clock
}

/** Throws CONFLICT when the given epoch may not begin, or none is given and a new one has to begin. */
export async function getSealingMailbox(
  conversationId: string | undefined,
  given: NewEpoch | undefined,
  owner: KeyOwner,
  ports: SealingPorts,
  signal: AbortSignal,
): Promise<SealingMailbox> {
  const { mailboxes } = ports.accounts
  const { chain } = await readChain(owner, ports, signal)
  const last =
    conversationId === undefined
      ? undefined
      : await mailboxes.findLastEpoch(owner.user, conversationId)
  if (given !== undefined) {
    const refusal = checkNewEpoch(given, last?.epoch ?? 0, chain)
    if (refusal !== undefined) throw epochRefused(refusal)
    const { epoch, mailbox_pub, keys } = given
    return { epoch, mailbox_pub, begun: keys, owner, chainSeq: chain.seq }
  }
  if (last === undefined || isOver(last, chain, ports.clock.now())) throw epochRefused('new epoch')
  const { epoch, mailbox_pub } = last
  return { epoch, mailbox_pub, begun: undefined, owner, chainSeq: chain.seq }
}

/**
 * First in the transaction that stores what is sealed. Throws CONFLICT when the keys of the owner have changed since the
 * mailbox was found: a device that was revoked meanwhile would open it.
 */
export async function lockMailbox(
  { owner, chainSeq, begun }: SealingMailbox,
  stores: ChainLockStores,
): Promise<void> {
  if (await lockChain(owner, chainSeq, stores)) return
  throw epochRefused(begun === undefined ? 'new epoch' : 'recipients')
}

/** In the transaction that stores what is sealed, when the conversation is stored. */
export async function storeBegun(
  { epoch, mailbox_pub, begun, chainSeq: chain_seq }: SealingMailbox,
  conversation_id: string,
  created_at: string,
  { mailboxes }: Pick<AccountStores, 'mailboxes'>,
): Promise<void> {
  if (begun === undefined) return
  const row = { conversation_id, epoch, mailbox_pub, chain_seq, created_at }
  if (!(await mailboxes.insertEpoch(row, begun))) throw epochRefused('epoch')
}

export function epochRefused(refusal: EpochRefusal): Failure {
  return new Failure('CONFLICT', epochRefusals[refusal])
}
