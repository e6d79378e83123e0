import { base } from '@assay/account/api/base.ts'
import { joinReply, stopReply, streamReply } from '@assay/contract/chat-stream.ts'
import { call, openStream } from '@assay/contract/client.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import type { ReadingProof } from '@assay/contract/sealed-history.ts'
import type { Turn } from '../thread/thread-state.ts'

/*
 * Requests for replies.
 */

/** Sends a message, or requests another reply to one. A repeated call joins the reply of the first. */
export function sendTurn(slugs: ProjectSlugs, turn: Turn, signal: AbortSignal) {
  return openStream(base, streamReply, { body: toRequest(slugs, turn) }, { signal })
}

/** The body of the request. */
export function toRequest(slugs: ProjectSlugs, turn: Turn) {
  const { message, conversationId, modelConfigId } = turn
  return {
    ...slugs,
    ...(conversationId === undefined
      ? {}
      : { conversation_id: conversationId, parent_id: turn.parentId }),
    ...(isContinuation(turn) ? { no_branch: true } : {}),
    client_message_id: turn.clientMessageId,
    ...(message === undefined ? { regenerate: true } : { message: message.text }),
    attachment_ids: message?.attachments.map(({ id }) => id) ?? [],
    ...(modelConfigId === undefined ? {} : { model_config_id: modelConfigId }),
    overridePiiBlock: turn.isOverride,
  }
}

/** Whether the message goes on at the end of a branch, as this window knows it. */
export function isContinuation({ conversationId, message }: Turn): boolean {
  if (conversationId === undefined || message === undefined) return false
  return message.editedId === undefined && message.isBranch !== true
}

/** Reads a reply from its beginning. One of an encrypted conversation needs a proof while it is written. */
export function joinRunningReply(
  messageId: string,
  proof: ReadingProof | undefined,
  signal: AbortSignal,
) {
  const args = { params: { messageId }, query: proof ?? {} }
  return openStream(base, joinReply, args, { signal })
}

export function stopRunningReply(messageId: string) {
  return call(base, stopReply, { params: { messageId } })
}
