import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ConversationHead } from '../../storage/accounts/conversation-store.ts'
import type { EpochOfDevice } from '../../storage/accounts/mailbox-store.ts'
import { readSealedTitle, toApiConversation, toApiMailbox } from './serialize-conversation.ts'

/*
 * What is different in encrypted conversations: a device needs their mailboxes, and their titles are sealed.
 */

/** Undefined if the conversation is not encrypted, or no device is given. */
export async function findMailboxes(
  { id, user_id, encrypted }: ConversationHead,
  device: string | undefined,
  { mailboxes }: Accounts,
): Promise<readonly EpochOfDevice[] | undefined> {
  if (encrypted === 0 || device === undefined) return undefined
  return await mailboxes.listEpochs(user_id, [id], device)
}

/** With the mailboxes that the titles are sealed for. */
export async function withMailboxes(
  userId: string,
  rows: readonly ConversationHead[],
  device: string | undefined,
  { mailboxes }: Accounts,
) {
  const sealed = device === undefined ? [] : rows.filter((row) => row.sealed_title !== null)
  const epochs = await mailboxes.listEpochs(
    userId,
    sealed.map(({ id }) => id),
    device ?? '',
  )
  return rows.map((row) => {
    const title = readSealedTitle(row)
    const found = epochs.find(
      ({ conversation_id, epoch }) => conversation_id === row.id && epoch === title?.epoch,
    )
    return { ...toApiConversation(row), ...(found && { mailbox: toApiMailbox(found) }) }
  })
}
