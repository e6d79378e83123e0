import { setImmediate as nextTurn } from 'node:timers/promises'
import type { attachmentExtensions } from '@assay/contract/chat-attachments.ts'
import type { Conversation, ConversationMessage } from '@assay/contract/conversations.ts'
import type { DeviceMailbox, SealedText } from '@assay/contract/sealed-history.ts'
import type { ChatMessageRow } from '../../storage/accounts/chat-tables.ts'
import { isBeingWritten } from '../../storage/accounts/chat-turn-store.ts'
import type { AttachedFile, ConversationHead } from '../../storage/accounts/conversation-store.ts'
import type { EpochOfDevice } from '../../storage/accounts/mailbox-store.ts'
import { messagePieces } from '../../storage/accounts/message-pieces.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'

/*
 * A conversation as the API returns it, in pieces between which other requests are served.
 */

export function toApiConversation(row: ConversationHead): Conversation {
  const { id, title, encrypted, created_at, updated_at, message_count } = row
  const sealed = readSealedTitle(row)
  return {
    ...{ id, title, ...(sealed !== undefined && { sealed_title: sealed }) },
    ...{ encrypted: encrypted === 1, created_at, updated_at, message_count },
  }
}

export function readSealedTitle({
  sealed_title: json,
}: Pick<ConversationHead, 'sealed_title'>): SealedText | undefined {
  return json === null ? undefined : (JSON.parse(json) as SealedText)
}

export function toApiMailbox({ epoch, mailbox_pub, enc, sealed }: EpochOfDevice): DeviceMailbox {
  const key = enc === null || sealed === null ? null : { enc, sealed }
  return { epoch, mailbox_pub, key }
}

interface ConversationReading {
  readonly now: string
  readonly mailboxes: readonly EpochOfDevice[] | undefined
  /** May refuse it before its messages are read. */
  onLargeRead(bytes: number): void
}

/** A JSON object. */
export async function* serializeConversation(
  row: ConversationHead,
  conversations: AccountStores['conversations'],
  { now, mailboxes, onLargeRead }: ConversationReading,
): AsyncGenerator<string> {
  const sizes = await conversations.listMessageSizes(row.user_id, row.id)
  onLargeRead(sizes.reduce((sum, { bytes }) => sum + bytes, 0))
  const { selected_message_id } = row
  const sealing = mailboxes && { mailboxes: mailboxes.map(toApiMailbox) }
  const conversation = { ...toApiConversation(row), selected_message_id, ...sealing }
  const head = JSON.stringify(conversation).slice(0, -1)
  let before = `${head},"messages":[`
  for (const piece of messagePieces(sizes)) {
    const ids = piece.map(({ id }) => id)
    const files = await conversations.listAttachedFiles(row.user_id, ids)
    const rows = await conversations.listMessages(row.user_id, row.id, ids)
    const byId = new Map(rows.map((message) => [message.id, message]))
    // A message is missing when the conversation is purged meanwhile.
    const messages = ids.flatMap((id) => byId.get(id) ?? [])
    if (messages.length > 0) {
      yield before + messages.map((one) => JSON.stringify(toApiMessage(one, files, now))).join()
      before = ','
    }
    await nextTurn()
  }
  yield before === ',' ? ']}' : `${before}]}`
}

function toApiMessage(
  row: ChatMessageRow,
  files: readonly AttachedFile[],
  now: string,
): ConversationMessage {
  const { id, parent_id, role, content, reasoning, epoch, created_at } = row
  const text = { content, ...(reasoning !== '' && { reasoning }) }
  return {
    ...{ id, parent_id, role },
    // Until a reply is written for the first time, nothing of it is sealed.
    ...(epoch === null || content === '' ? text : { content: '', epoch, sealed: content }),
    status: row.status === 'streaming' && !isBeingWritten(row, now) ? 'interrupted' : row.status,
    attachments: files.filter((file) => file.message_id === id).map(toApiAttachment),
    created_at,
    ...(role === 'assistant' && toApiReply(row)),
  }
}

function toApiReply(row: ChatMessageRow): Partial<ConversationMessage> {
  const { model, model_config_id, finish_reason, problem, trace_id } = row
  const { tokens_in, tokens_out, cost_nano_usd } = row
  return {
    ...(model !== null && { model }),
    ...(model_config_id !== null && { model_config_id }),
    ...(finish_reason !== null && { finish_reason }),
    ...(problem !== null && { problem }),
    ...{ tokens_in, tokens_out, cost_usd: cost_nano_usd === null ? null : cost_nano_usd / 1e9 },
    ...(trace_id !== null && { trace_id }),
  }
}

function toApiAttachment(file: AttachedFile): ConversationMessage['attachments'][number] {
  const { id, name, size, chars, truncated } = file
  const extension = file.extension as (typeof attachmentExtensions)[number]
  return { id, name, extension, size, chars, truncated: truncated === 1 }
}
