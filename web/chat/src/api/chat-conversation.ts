import { base } from '@assay/account/api/base.ts'
import { call } from '@assay/contract/client.ts'
import { readConversation, updateConversation } from '@assay/contract/conversations.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import { queryOptions } from '@tanstack/react-query'
import { findDevice } from '../crypto/key-store.ts'
import { type OpenedMessage, openConversation } from '../crypto/open-conversation.ts'

/*
 * One conversation with its messages.
 */

/** `owner`: whose keys open an encrypted one. */
export function conversationQuery(conversationId: string, owner: KeyOwner) {
  return queryOptions({
    queryKey: ['conversation', conversationId],
    queryFn: ({ signal }) => readOpened(conversationId, owner, signal),
    // Another tab may have sent messages.
    refetchOnWindowFocus: 'always',
  })
}

/** Messages of an encrypted conversation are in plain text, as far as this browser opens them. */
export async function readOpened(conversationId: string, owner: KeyOwner, signal?: AbortSignal) {
  const device = await findDevice(owner)
  const args = { params: { conversationId }, query: device ? { device: device.id } : {} }
  const read = await call(base, readConversation, args, signal && { signal })
  const opened = await openConversation(read, device && { owner, device })
  return { ...opened, messages: opened.messages.map(toShown) }
}

function toShown(message: OpenedMessage): OpenedMessage {
  return message.isUnreadable ? { ...message, content: unreadable } : message
}

/** In place of the text of a message that is not sealed for this browser. */
export const unreadable = 'This message cannot be opened in this browser.'

/** Remembers which branch is shown. */
export function selectBranch(conversationId: string, messageId: string) {
  const body = { selected_message_id: messageId }
  return call(base, updateConversation, { params: { conversationId }, body })
}
