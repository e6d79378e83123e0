import type { Input } from '@assay/contract/endpoint.ts'
import { listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import type { addMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import { lockChain } from '../../key-directory/lock-chain.ts'
import { readChain } from '../../key-directory/read-chain.ts'
import { Failure } from '../../platform/failure.ts'
import type { MemberTurns } from '../../platform/member-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

interface AddKeysPorts {
  readonly accounts: Accounts
  readonly chainTurns: MemberTurns
}

type GivenKeys = Pick<Input<typeof addMailboxKeys>['body'], 'device' | 'keys'>

/** Returns how many are new. Throws CONFLICT for what is not an active device, and NOT_FOUND for conversations of others. */
export async function addKeys(
  owner: KeyOwner,
  given: GivenKeys,
  ports: AddKeysPorts,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const { chain } = await readChain(owner, ports, signal)
    if (!listActive(chain).some(({ id }) => id === given.device)) throw notActive()
    const added = await insertKeys(owner, given, chain.seq, ports.accounts)
    if (added !== undefined) return added
    signal.throwIfAborted()
  }
}

/** Undefined when the owner's chain no longer ends at `seq`: the device may have been revoked. */
async function insertKeys(
  owner: KeyOwner,
  { device, keys }: GivenKeys,
  seq: number,
  accounts: Accounts,
): Promise<number | undefined> {
  const { mailboxes } = accounts
  const ids = [...new Set(keys.map(({ conversation_id }) => conversation_id))]
  const nameOf = (one: { conversation_id: string; epoch: number }) =>
    `${one.conversation_id} ${one.epoch}`
  const owned = new Set((await mailboxes.listOwnedEpochs(owner, ids)).map(nameOf))
  if (!keys.every((key) => owned.has(nameOf(key)))) {
    throw new Failure('NOT_FOUND', 'Conversation not found.')
  }
  const rows = keys.map((key) => ({ ...key, device }))
  return await accounts.transaction(async (stores) =>
    (await lockChain(owner, seq, stores))
      ? await stores.mailboxes.insertKeys(owner, rows)
      : undefined,
  )
}

const notActive = () =>
  new Failure('CONFLICT', 'device is not an active device or recovery key of yours.')
