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

type GivenKeys = Pick<Input<typeof addMailboxKeys>['body'], 'device' | 'kem_pub' | 'keys'>

/** Returns how many are stored. Throws CONFLICT for what is not an active device with this key, and NOT_FOUND for conversations of others. */
export async function addKeys(
  owner: KeyOwner,
  given: GivenKeys,
  ports: AddKeysPorts,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const { chain } = await readChain(owner, ports, signal)
    const device = listActive(chain).find(({ id }) => id === given.device)
    if (device === undefined) throw notActive()
    if (device.kem_pub !== given.kem_pub) throw otherKey()
    const added = await insertKeys(owner, given, chain.seq, ports.accounts)
    if (added !== undefined) return added
    signal.throwIfAborted()
  }
}

/** Undefined when the owner's chain no longer ends at `seq`: the device may have been revoked, or have new keys. */
async function insertKeys(
  owner: KeyOwner,
  { device, kem_pub, keys }: GivenKeys,
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
  const byName = new Map(keys.map((key) => [nameOf(key), { ...key, device, kem_pub }]))
  const rows = [...byName.values()]
  return await accounts.transaction(async (stores) =>
    (await lockChain(owner, seq, stores))
      ? await stores.mailboxes.insertKeys(owner, rows)
      : undefined,
  )
}

const notActive = () =>
  new Failure('CONFLICT', 'device is not an active device or recovery key of yours.')

const otherKey = () =>
  new Failure('CONFLICT', 'kem_pub is not the present key of the device. Read your keys again.')
