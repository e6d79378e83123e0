import type { ChatRequest } from '@assay/contract/chat-stream.ts'
import { limits } from '@assay/contract/limits.ts'
import type { ClientFacts, ProjectCaller } from '../../accounts/caller.ts'
import { maskName } from '../../chat-content/mask-texts.ts'
import { toStorableText } from '../../domain/json-text.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { getConfiguredModel } from '../../model-gateway/get-configured-model.ts'
import { Failure } from '../../platform/failure.ts'
import { byAge, type NewAttachment } from '../../storage/accounts/chat-attachment-store.ts'
import type { ChatMessageRow } from '../../storage/accounts/chat-tables.ts'
import { isBeingWritten } from '../../storage/accounts/chat-turn-store.ts'
import type { ConversationHead } from '../../storage/accounts/conversation-store.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'

/*
 * What a request refers to: its conversation, message, attachments and model. Those of others do not exist.
 */

export interface TurnRequest {
  readonly member: ProjectCaller
  readonly client: ClientFacts
  readonly body: ChatRequest
}

export interface TurnAttachment extends NewAttachment {
  /** Whether a message of the conversation has it: the new one gets a copy. */
  readonly isReused: boolean
}

export type GivenAttachment = ChatRequest['attachments'][number]

export interface FoundTurn {
  /** Undefined: it begins with this turn. */
  readonly conversation: ConversationHead | undefined
  /** The new message, undefined to answer an earlier one again. */
  readonly message: string | undefined
  readonly attachments: readonly TurnAttachment[]
  /** Of an encrypted conversation. */
  readonly givenAttachments: readonly GivenAttachment[]
  /** Of an encrypted conversation: the message to answer again. */
  readonly repeated: string | undefined
  /** The message before the new one, or the one to answer again. Undefined at the beginning of the conversation. */
  readonly parent: Pick<ChatMessageRow, 'id'> | undefined
  readonly modelConfigId: string
  readonly model: GatewayModel
}

export async function findTurn(request: TurnRequest, ports: ChatStreamPorts): Promise<FoundTurn> {
  const { member, body } = request
  const conversation = await findConversation(request, ports)
  const parent = conversation && (await findParent(conversation, request, ports))
  const attachments = await findAttachments(conversation, request, ports)
  const found = await findModel(member.organizationId, body.model_config_id, ports)
  const text = toStorableText(body.message ?? '')
  const givenAttachments = body.attachments.map((one) => ({
    ...{ ...one, name: maskName(toStorableText(one.name)), text: toStorableText(one.text) },
  }))
  const isSealed = conversation?.encrypted === 1
  return {
    ...{ conversation, attachments, givenAttachments, parent, ...found },
    message: body.regenerate ? undefined : text,
    repeated: body.regenerate && isSealed ? text : undefined,
  }
}

async function findConversation(
  { member, body: { conversation_id: id } }: TurnRequest,
  { accounts }: ChatStreamPorts,
): Promise<ConversationHead | undefined> {
  if (id === undefined) return undefined
  const conversation = await accounts.conversations.find(member.user.id, id)
  if (conversation?.project_id === member.projectId) return conversation
  throw new Failure('NOT_FOUND', 'Conversation not found.')
}

async function findParent(
  { id }: ConversationHead,
  { member, body }: TurnRequest,
  ports: ChatStreamPorts,
): Promise<FoundTurn['parent']> {
  const { accounts, replies, clock } = ports
  const messageId =
    body.parent_id ?? (await newestUnlessNull(member.user.id, id, body.parent_id, ports))
  if (messageId === undefined) return undefined
  // One that was just stopped is stored in a moment, and is then part of the context.
  const running = replies.find(member.user.id, messageId)
  if (running?.isStopping === true) await running.ended
  const last = await accounts.chatTurns.findMessage(member.user.id, id, messageId)
  if (last === undefined || (body.regenerate && last.role !== 'user')) {
    throw new Failure('NOT_FOUND', 'Message not found.')
  }
  if (isBeingWritten(last, clock.now().toISOString())) {
    const message = 'The reply is still being written. Wait until it has ended, or stop it.'
    throw new Failure('CONFLICT', message)
  }
  return last
}

async function newestUnlessNull(
  userId: string,
  conversationId: string,
  parentId: string | null | undefined,
  { accounts }: ChatStreamPorts,
): Promise<string | undefined> {
  if (parentId === null) return undefined
  return await accounts.chatTurns.findNewestMessage(userId, conversationId)
}

async function findAttachments(
  conversation: ConversationHead | undefined,
  { member, body }: TurnRequest,
  { accounts, clock }: ChatStreamPorts,
): Promise<readonly TurnAttachment[]> {
  const ids = body.regenerate ? [] : [...new Set(body.attachment_ids)]
  if (ids.length === 0) return []
  const now = clock.now().toISOString()
  const { chatAttachments } = accounts
  const found = await chatAttachments.listNew(member.user.id, ids, now)
  const fresh = found.map((one) => ({ ...one, isReused: false }))
  if (fresh.length === ids.length) return fresh.toSorted(byAge)
  if (conversation === undefined) throw attachmentNotFound()
  const attached = await chatAttachments.listAttached(member.user.id, conversation.id, ids)
  if (fresh.length + attached.length < ids.length) throw attachmentNotFound()
  // Their findings were approved with the message that has them.
  const approved = { blocked: 0, findings: '[]', isReused: true } as const
  return [...fresh, ...attached.map((one) => ({ ...one, ...approved }))].toSorted(byAge)
}

export const attachmentNotFound = () =>
  new Failure('NOT_FOUND', 'Attachment not found. Remove it, or attach the file again.')

async function findModel(
  organizationId: string,
  configId: string | undefined,
  { accounts, models }: ChatStreamPorts,
): Promise<Pick<FoundTurn, 'model' | 'modelConfigId'>> {
  const modelConfigId = configId ?? (await accounts.modelConfigs.list(organizationId))[0]?.id
  if (modelConfigId === undefined) {
    const message = 'Your organization has no model yet. An admin can add one in its settings.'
    throw new Failure('NO_MODELS', message)
  }
  const model = await getConfiguredModel(organizationId, modelConfigId, models)
  return { model, modelConfigId }
}

/** Characters that the turn adds to its conversation before the reply. */
export function newTextLength({ message, repeated, ...found }: FoundTurn): number {
  const given = found.givenAttachments.reduce((sum, { text }) => sum + text.length, 0)
  const text = (message ?? repeated ?? '').length + given
  return found.attachments.reduce((sum, { chars }) => sum + chars, text)
}

export const newMessageCount = ({ message }: FoundTurn) => (message === undefined ? 1 : 2)

/** Throws CONFLICT when the conversation has no room for the turn. */
export function checkRoom(found: FoundTurn): void {
  const messages = (found.conversation?.message_count ?? 0) + newMessageCount(found)
  if (messages > room.messages) throw conversationFull()
}

export const room = {
  messages: limits.chatMessages.value,
  textLength: limits.conversationTextLength.value,
} as const

export const conversationFull = () =>
  new Failure('CONFLICT', 'The conversation has reached its maximum length. Start a new one.')

export const tooManyConversations = () => {
  const most = limits.conversations.value.toLocaleString('en-US')
  const message = `You have ${most} conversations in this project, which is the limit. Remove one.`
  return new Failure('CONFLICT', message)
}
