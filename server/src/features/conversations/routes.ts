import {
  listConversations,
  readConversation,
  removeConversation,
  restoreConversation,
  updateConversation,
} from '@assay/contract/conversations.ts'
import { limits } from '@assay/contract/limits.ts'
import type { AccessControl } from '../../accounts/access-control.ts'
import type { ProjectCaller, SignedIn } from '../../accounts/caller.ts'
import type { Replies } from '../../chat-replies/replies.ts'
import type { Bind } from '../../http/call.ts'
import { openPieceReads } from '../../http/piece-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure, projectNotFound } from '../../platform/failure.ts'
import type { MemberTurns } from '../../platform/member-turns.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type {
  ConversationHead,
  ConversationPosition,
} from '../../storage/accounts/conversation-store.ts'
import { changeConversation } from './change-conversation.ts'
import { openListPage } from './list-page.ts'
import { findMailboxes, withMailboxes } from './sealed-conversations.ts'
import { serializeConversation, toApiConversation } from './serialize-conversation.ts'

export interface ConversationPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly access: Pick<AccessControl, 'findProjectCaller' | 'getNamedProjectCaller'>
  readonly replies: Pick<Replies, 'find'>
  readonly chainTurns: MemberTurns
  readonly clock: Clock
}

export function registerConversations(ports: ConversationPorts): void {
  const { bind, accounts, access, replies, clock } = ports
  const listPage = openListPage(accounts.conversations)
  const readPieces = openPieceReads('conversations')
  const now = () => clock.now().toISOString()

  /** Throws NOT_FOUND also when its user is no longer a member of the organization. */
  async function withMember(caller: SignedIn, row: ConversationHead | undefined) {
    const member = row && (await access.findProjectCaller(caller, row.project_id))
    if (row === undefined || member === undefined) throw conversationNotFound()
    return { row, member }
  }
  const find = async (caller: SignedIn, id: string) =>
    await withMember(caller, await accounts.conversations.find(caller.user.id, id))

  bind(listConversations, async ({ caller, query, signal }) => {
    const { org, project, q: part, device, limit, cursor } = query
    const member = await access.getNamedProjectCaller(caller, org, project, projectNotFound)
    const after = cursor === undefined ? undefined : parsePosition(cursor)
    const by = { requester: requesterOf(member), signal }
    const { rows, next } = await listPage(by, member.projectId, { limit, after, part })
    return {
      conversations: await withMailboxes(caller.user.id, rows, device, accounts),
      cursor: next === undefined ? null : formatPosition(next),
    }
  })

  bind(readConversation, async ({ caller, params, query: { device }, readOptions, signal }) => {
    const { row, member } = await find(caller, params.conversationId)
    const mailboxes = await findMailboxes(row, device, accounts)
    const reading = { now: now(), mailboxes, onLargeRead: readOptions.onLargeRead }
    const pieces = serializeConversation(row, accounts.conversations, reading)
    return await readPieces({ requester: requesterOf(member), signal }, pieces)
  })

  bind(updateConversation, async ({ caller, params: { conversationId }, body, signal }) => {
    const { row, member } = await find(caller, conversationId)
    const changed = await changeConversation(row, body, { member, signal }, ports)
    if (changed !== undefined) return toApiConversation(changed)
    throw body.selected_message_id === undefined
      ? conversationNotFound()
      : new Failure('NOT_FOUND', 'Message not found.')
  })

  bind(removeConversation, async ({ caller, params: { conversationId } }) => {
    const { row } = await find(caller, conversationId)
    const expiresAt = new Date(
      clock.now().getTime() + limits.conversationRestoreMinutes.value * 60_000,
    ).toISOString()
    const stopped = await accounts.transaction(({ conversations }) =>
      conversations.remove(caller.user.id, row.id, expiresAt),
    )
    if (stopped === undefined) throw conversationNotFound()
    for (const id of stopped) replies.find(caller.user.id, id)?.stop()
    return { status: 'removed' as const }
  })

  bind(restoreConversation, async ({ caller, params: { conversationId } }) => {
    const { conversations } = accounts
    const { user } = caller
    const found = await conversations.findRestorable(user.id, conversationId, now())
    const { row } = await withMember(caller, found)
    const restored = await conversations.restore(user.id, row.id, now())
    if (restored === undefined) throw conversationNotFound()
    return toApiConversation(restored)
  })
}

const requesterOf = ({ organizationId, user }: ProjectCaller) => [organizationId, user.id] as const

/** Both parts have a fixed form, without spaces. */
function formatPosition({ updated_at, id }: ConversationPosition): string {
  return `${updated_at} ${id}`
}

function parsePosition(text: string): ConversationPosition {
  const [updated_at = '', id = ''] = text.split(' ')
  return { updated_at, id }
}

const conversationNotFound = () => new Failure('NOT_FOUND', 'Conversation not found.')
