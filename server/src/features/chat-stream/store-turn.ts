import { limits } from '@assay/contract/limits.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import {
  lockMailbox,
  type SealingMailbox,
  storeBegun,
} from '../../sealed-history/sealing-mailbox.ts'
import type { ChatMessageRow, ConversationRow } from '../../storage/accounts/chat-tables.ts'
import type { AccountStores } from '../../storage/accounts/stores.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { firstTitle } from './first-title.ts'
import type { TurnFindings } from './held-back.ts'
import { sealRows, type TurnRows } from './sealed-turn.ts'
import type { TurnContext } from './turn-context.ts'
import {
  attachmentNotFound,
  conversationFull,
  type FoundTurn,
  newMessageCount,
  newTextLength,
  room,
  type TurnRequest,
  tooManyConversations,
} from './turn-request.ts'

/*
 * Stores a turn before its model is called: all of it, or nothing.
 */

export interface StoredTurn {
  readonly conversationId: string
  /** The title that the conversation begins with; undefined if it has one. */
  readonly firstTitle: string | undefined
  /** The message that is answered. */
  readonly parentId: string
  readonly reply: ChatMessageRow
}

export interface CheckedTurn {
  readonly found: FoundTurn
  readonly context: TurnContext
  readonly findings: TurnFindings
  readonly clientKey: string | null
  /** That the turn is sealed for; undefined: it is not. */
  readonly mailbox: SealingMailbox | undefined
}

/** How long others take a reply for one that is being written. Renewed in time. */
const leaseMs = 30_000

export const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs).toISOString()

/** Rejects with a unique conflict if another request with the client's key was stored meanwhile. */
export async function storeTurn(
  checked: CheckedTurn,
  request: TurnRequest,
  { accounts, clock }: Pick<ChatStreamPorts, 'accounts' | 'clock'>,
): Promise<StoredTurn> {
  const { found, findings } = checked
  const { member, client } = request
  const now = clock.now()
  const at = now.toISOString()
  const begun = found.conversation === undefined ? newConversation(found, request, at) : undefined
  const conversationId = found.conversation?.id ?? begun?.id ?? ''
  const asked = found.message === undefined ? undefined : newQuestion(checked, conversationId, at)
  const parentId = asked?.id ?? found.parent?.id ?? ''
  const reply = newReply(checked, { conversationId, parentId, now })
  const rows = await toStoredRows({ begun, asked, reply }, checked)
  const growth = {
    ...{ messages: newMessageCount(found), textLength: newTextLength(found) },
    ...{ messageId: reply.id, now: at },
  }
  await accounts.transaction(async (stores) => {
    const { chatTurns } = stores
    if (checked.mailbox !== undefined) await lockMailbox(checked.mailbox, stores)
    if (rows.begun !== undefined) await begin(rows.begun, stores)
    if (checked.mailbox !== undefined) await storeBegun(checked.mailbox, conversationId, at, stores)
    if (!(await chatTurns.growConversation(member.user.id, conversationId, growth, room)))
      throw conversationFull()
    if (rows.asked !== undefined) {
      if (request.body.no_branch) await checkNoBranch(member.user.id, rows.asked, stores)
      await chatTurns.insertMessage(rows.asked)
      await attach(found, rows.asked.id, { userId: member.user.id, at, stores })
    }
    await chatTurns.insertMessage(rows.reply)
    if (!findings.blocked) return
    await approve(member.user.id, conversationId, findings.approvals, stores)
    const types = Object.entries(findings.types).map(([type, count]) => `${type}: ${count}`)
    await recordEvent(
      {
        action: 'chat_message.sent_anyway',
        organizationId: member.organizationId,
        targetId: member.projectId,
        details: { types: types.toSorted().slice(0, typesMax) },
      },
      userActor(member.user, client),
      at,
      stores,
    )
  })
  return { conversationId, firstTitle: begun?.title, parentId, reply }
}

async function toStoredRows(rows: TurnRows, { found, mailbox }: CheckedTurn): Promise<TurnRows> {
  return mailbox === undefined ? rows : await sealRows(rows, found.givenAttachments, mailbox)
}

/** There are about a hundred types in all. */
const typesMax = 100

function newConversation(
  { message = '' }: FoundTurn,
  { member }: TurnRequest,
  at: string,
): ConversationRow {
  const title = firstTitle(message)
  return {
    ...{ id: newId(), project_id: member.projectId, user_id: member.user.id },
    ...{ title, lower_title: title.toLowerCase(), encrypted: 0, sealed_title: null },
    ...{ message_count: 0, text_length: 0, selected_message_id: null },
    ...{ created_at: at, updated_at: at, expires_at: null },
  }
}

const emptyMessage = {
  is_stopped: 0,
  ...{ content: '', reasoning: '', epoch: null, running_until: null },
  ...{ finish_reason: null, problem: null, notices: '[]', model: null, model_config_id: null },
  ...{ tokens_in: null, tokens_out: null, cost_nano_usd: null, trace_id: null, client_key: null },
} as const

function newQuestion(
  { found: { message = '', parent }, clientKey }: CheckedTurn,
  conversationId: string,
  at: string,
): ChatMessageRow {
  return {
    ...emptyMessage,
    ...{ id: newId(), conversation_id: conversationId, parent_id: parent?.id ?? null },
    ...{ role: 'user', content: message, status: 'complete', client_key: clientKey },
    created_at: at,
  }
}

interface ReplyPosition {
  readonly conversationId: string
  readonly parentId: string
  readonly now: Date
}

function newReply(
  { found, context, clientKey }: CheckedTurn,
  { conversationId, parentId, now }: ReplyPosition,
): ChatMessageRow {
  const id = newId()
  return {
    ...emptyMessage,
    ...{ id, conversation_id: conversationId, parent_id: parentId, role: 'assistant' },
    ...{ status: 'streaming', running_until: leaseEnd(now) },
    ...{ notices: JSON.stringify(context.notices), trace_id: id.replaceAll('-', '') },
    ...{ model: found.model.model, model_config_id: found.modelConfigId },
    client_key: found.message === undefined ? clientKey : null,
    // After the message that it answers: they are sorted by time.
    created_at: new Date(now.getTime() + 1).toISOString(),
  }
}

async function begin(row: ConversationRow, { chatTurns }: AccountStores): Promise<void> {
  const hasRoom = await chatTurns.insertConversation(row, limits.conversations.value)
  if (!hasRoom) throw tooManyConversations()
}

/** Within the transaction: the conversation cannot grow meanwhile. */
async function checkNoBranch(
  userId: string,
  { conversation_id, parent_id }: ChatMessageRow,
  { chatTurns }: AccountStores,
): Promise<void> {
  if ((await chatTurns.findChild(userId, conversation_id, parent_id)) === undefined) return
  const message = 'The conversation was continued elsewhere. Read its new messages first.'
  throw new Failure('CONFLICT', message)
}

interface AttachIn {
  readonly userId: string
  readonly at: string
  readonly stores: AccountStores
}

async function attach(
  { attachments }: FoundTurn,
  messageId: string,
  { userId, at, stores }: AttachIn,
): Promise<void> {
  if (attachments.length === 0) return
  const { chatTurns, chatAttachments } = stores
  const fresh = attachments.filter(({ isReused }) => !isReused).map(({ id }) => id)
  const attached = fresh.length && (await chatTurns.attach(userId, fresh, messageId, at))
  if (attached < fresh.length) throw attachmentNotFound()
  for (const { id, isReused } of attachments) {
    const copy = { id: newId(), message_id: messageId }
    if (isReused && !(await chatAttachments.copy(userId, id, copy))) throw attachmentNotFound()
  }
}

async function approve(
  userId: string,
  conversationId: string,
  hashes: readonly string[],
  { chatTurns }: AccountStores,
): Promise<void> {
  const known = new Set(await chatTurns.listApprovals(userId, conversationId))
  const added = hashes
    .filter((hash) => !known.has(hash))
    .slice(0, Math.max(0, limits.chatApprovals.value - known.size))
  if (added.length > 0) await chatTurns.insertApprovals(conversationId, added)
}
