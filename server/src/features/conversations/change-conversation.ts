import type { updateConversation } from '@assay/contract/conversations.ts'
import type { Input } from '@assay/contract/endpoint.ts'
import type { ProjectCaller } from '../../accounts/caller.ts'
import { Failure } from '../../platform/failure.ts'
import { sealTitle } from '../../sealed-history/seal-text.ts'
import {
  getSealingMailbox,
  lockMailbox,
  type SealingPorts,
  storeBegun,
} from '../../sealed-history/sealing-mailbox.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type {
  ConversationChange,
  ConversationHead,
} from '../../storage/accounts/conversation-store.ts'

/*
 * Renames a conversation, or selects a branch. The title of an encrypted one is sealed, and can begin an epoch.
 */

interface ChangePorts extends Omit<SealingPorts, 'accounts'> {
  readonly accounts: Accounts
}

interface ChangedBy {
  readonly member: ProjectCaller
  readonly signal: AbortSignal
}

type Change = Input<typeof updateConversation>['body']

/** Undefined when there is no such conversation, or no such message in it. Throws INVALID_BODY and CONFLICT. */
export async function changeConversation(
  row: ConversationHead,
  { title, selected_message_id, encryption }: Change,
  by: ChangedBy,
  ports: ChangePorts,
): Promise<ConversationHead | undefined> {
  if (encryption !== undefined && row.encrypted === 0) throw notEncrypted()
  const { accounts, clock } = ports
  const selected = selected_message_id === undefined ? {} : { selected_message_id }
  if (title === undefined) {
    return await accounts.conversations.update(row.user_id, row.id, selected)
  }
  const change = { ...selected, updated_at: clock.now().toISOString() }
  if (row.encrypted === 1) {
    return await changeSealed(row, { title, change, encryption }, by, ports)
  }
  const plain = { ...change, title, lower_title: title.toLowerCase() }
  return await accounts.conversations.update(row.user_id, row.id, plain)
}

const notEncrypted = () =>
  new Failure('INVALID_BODY', 'encryption is for encrypted conversations only')

interface SealedChange extends Pick<Change, 'encryption'> {
  readonly title: string
  readonly change: ConversationChange & { readonly updated_at: string }
}

async function changeSealed(
  { id, user_id }: ConversationHead,
  { title, change, encryption }: SealedChange,
  { member, signal }: ChangedBy,
  ports: ChangePorts,
): Promise<ConversationHead | undefined> {
  const owner = { org: member.organizationId, user: user_id }
  const mailbox = await getSealingMailbox(id, encryption, owner, ports, signal)
  const sealed_title = await sealTitle(title, id, mailbox)
  return await ports.accounts.transaction(async (stores) => {
    await lockMailbox(mailbox, stores)
    const changed = await stores.conversations.update(user_id, id, { ...change, sealed_title })
    if (changed !== undefined) await storeBegun(mailbox, id, change.updated_at, stores)
    return changed
  })
}
