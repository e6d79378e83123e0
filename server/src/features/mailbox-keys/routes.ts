import type { Input } from '@assay/contract/endpoint.ts'
import { listActive } from '@assay/contract/key-chain.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import type { AccessControl } from '../../accounts/access-control.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import type { Bind } from '../../http/call.ts'
import { readChain } from '../../key-directory/read-chain.ts'
import { Failure } from '../../platform/failure.ts'
import type { MemberTurns } from '../../platform/member-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'

/*
 * The keys of encrypted conversations, which a browser seals for further devices.
 */

interface MailboxKeyPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly access: Pick<AccessControl, 'getNamedProjectCaller'>
  readonly chainTurns: MemberTurns
}

export function registerMailboxKeys({ bind, access, ...ports }: MailboxKeyPorts): void {
  const { mailboxes } = ports.accounts

  bind(listMailboxKeys, async ({ caller, query: { org, project, device, lacking } }) => {
    const owner = ownerOf(await access.getNamedProjectCaller(caller, org, project))
    const limit = limits.mailboxKeysAtOnce.value
    return { keys: await mailboxes.listLacking(owner, { device, lacking }, limit) }
  })

  bind(addMailboxKeys, async ({ caller, body, signal }) => {
    const owner = ownerOf(await access.getNamedProjectCaller(caller, body.org, body.project))
    const { chain } = await readChain(owner, ports, signal)
    if (!listActive(chain).some(({ id }) => id === body.device)) throw notActive()
    return { added: await addKeys(owner, body, ports.accounts) }
  })
}

function ownerOf({ organizationId, user }: ProjectCaller): KeyOwner {
  return { org: organizationId, user: user.id }
}

async function addKeys(
  owner: KeyOwner,
  { device, keys }: Input<typeof addMailboxKeys>['body'],
  accounts: Accounts,
): Promise<number> {
  const { mailboxes } = accounts
  const ids = [...new Set(keys.map(({ conversation_id }) => conversation_id))]
  const nameOf = (one: { conversation_id: string; epoch: number }) =>
    `${one.conversation_id} ${one.epoch}`
  const owned = new Set((await mailboxes.listOwnedEpochs(owner, ids)).map(nameOf))
  if (!keys.every((key) => owned.has(nameOf(key)))) {
    throw new Failure('NOT_FOUND', 'Conversation not found.')
  }
  return await accounts.transaction((stores) =>
    stores.mailboxes.insertKeys(
      owner,
      keys.map((key) => ({ ...key, device })),
    ),
  )
}

const notActive = () =>
  new Failure('CONFLICT', 'device is not an active device or recovery key of yours.')
