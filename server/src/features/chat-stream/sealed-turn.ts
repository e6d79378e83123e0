import type { SealedMessage } from '@assay/contract/sealed-history.ts'
import type { EndedReply } from '../../chat-replies/reply-turn.ts'
import { Failure, projectNotFound } from '../../platform/failure.ts'
import { sealMessage, sealTitle } from '../../sealed-history/seal-text.ts'
import {
  epochRefused,
  getSealingMailbox,
  type SealingMailbox,
} from '../../sealed-history/sealing-mailbox.ts'
import type { ChatMessageRow, ConversationRow } from '../../storage/accounts/chat-tables.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import type { FoundTurn, GivenAttachment, TurnRequest } from './turn-request.ts'

/*
 * A turn of an encrypted conversation: whether it may be one, and its rows, sealed.
 */

/** Undefined: the conversation is not encrypted. Throws INVALID_BODY and CONFLICT. */
export async function findMailbox(
  { conversation }: FoundTurn,
  { member, body }: TurnRequest,
  ports: ChatStreamPorts,
  signal: AbortSignal,
): Promise<SealingMailbox | undefined> {
  const { encryption } = body
  const { organizationId, projectId, user } = member
  if (conversation === undefined) {
    const project = await ports.accounts.projects.find(organizationId, projectId)
    if (project === undefined) throw projectNotFound()
    const mode = project.encrypted_history
    if (mode === 'required' && encryption === undefined) throw epochRefused('required')
    if (mode === 'off' && encryption !== undefined) throw invalid(off)
  } else if (conversation.encrypted === 0 && encryption !== undefined) throw invalid(notEncrypted)
  const isSealed =
    conversation === undefined ? encryption !== undefined : conversation.encrypted === 1
  checkMembers(isSealed, body)
  if (!isSealed) return undefined
  const owner = { org: organizationId, user: user.id }
  return await getSealingMailbox(conversation?.id, encryption, owner, ports, signal)
}

const off = 'encryption is not available: the project does not keep encrypted history'
const notEncrypted = 'encryption is for encrypted conversations only'

function checkMembers(isSealed: boolean, body: TurnRequest['body']): void {
  const { attachments, attachment_ids: ids, regenerate, message } = body
  if (!isSealed && attachments.length > 0) {
    throw invalid('attachments is for encrypted conversations only: send attachment_ids')
  }
  if (isSealed && ids.length > 0) {
    throw invalid('attachment_ids is not for encrypted conversations: send attachments')
  }
  if (isSealed && regenerate && message === undefined) throw invalid('message is required')
}

const invalid = (message: string) => new Failure('INVALID_BODY', message)

export interface TurnRows {
  readonly begun: ConversationRow | undefined
  readonly asked: ChatMessageRow | undefined
  readonly reply: ChatMessageRow
}

/** The rows as they are stored. */
export async function sealRows(
  { begun, asked, reply }: TurnRows,
  attachments: readonly GivenAttachment[],
  mailbox: SealingMailbox,
): Promise<TurnRows> {
  const { epoch } = mailbox
  return {
    begun: begun && {
      ...{ ...begun, title: '', lower_title: '', encrypted: 1 },
      sealed_title: await sealTitle(begun.title, begun.id, mailbox),
    },
    asked: asked && {
      ...{ ...asked, epoch },
      content: await sealFor(
        asked,
        {
          content: asked.content,
          ...(attachments.length > 0 && { attachments: [...attachments] }),
        },
        mailbox,
      ),
    },
    reply: { ...reply, epoch },
  }
}

type StoredText = Pick<ChatMessageRow, 'content' | 'reasoning'>

/** The text of a reply as it is stored, with the reason why it failed: that may quote the message. */
export async function sealReply(
  { content, reasoning, problem }: Pick<EndedReply, 'content' | 'reasoning' | 'problem'>,
  reply: ChatMessageRow,
  mailbox: SealingMailbox,
): Promise<StoredText> {
  const message = {
    ...{ content, ...(reasoning !== '' && { reasoning }) },
    ...(problem !== null && { problem }),
  }
  return { content: await sealFor(reply, message, mailbox), reasoning: '' }
}

function sealFor(
  { conversation_id: conversation, id: message, parent_id: parent, role }: ChatMessageRow,
  text: SealedMessage,
  { epoch, mailbox_pub }: SealingMailbox,
): Promise<string> {
  return sealMessage(text, mailbox_pub, { conversation, message, parent, role, epoch })
}
