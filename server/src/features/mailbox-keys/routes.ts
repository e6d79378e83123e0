import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { limits } from '@assay/contract/limits.ts'
import { addMailboxKeys, listMailboxKeys } from '@assay/contract/mailbox-keys.ts'
import type { AccessControl } from '../../accounts/access-control.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import type { Bind } from '../../http/call.ts'
import type { MemberTurns } from '../../platform/member-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { addKeys } from './add-keys.ts'

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

  bind(listMailboxKeys, async ({ caller, query: { org, project, ...keys } }) => {
    const owner = ownerOf(await access.getNamedProjectCaller(caller, org, project))
    const limit = limits.mailboxKeysAtOnce.value
    return { keys: await mailboxes.listLacking(owner, keys, limit) }
  })

  bind(addMailboxKeys, async ({ caller, body, signal }) => {
    const owner = ownerOf(await access.getNamedProjectCaller(caller, body.org, body.project))
    return { added: await addKeys(owner, body, ports, signal) }
  })
}

function ownerOf({ organizationId, user }: ProjectCaller): KeyOwner {
  return { org: organizationId, user: user.id }
}
