import { type Kysely, type RawBuilder, sql } from 'kysely'
import { byAge } from './chat-attachment-store.ts'
import type { ChatAttachmentRow, ChatMessageRow, ConversationRow } from './chat-tables.ts'
import type { Timestamp } from './column-types.ts'
import { ownConversation } from './own-conversation.ts'
import type { Tables } from './tables.ts'
import { userStore } from './user-store.ts'

/** What a turn adds to its conversation. */
export interface TurnGrowth {
  readonly messages: number
  readonly textLength: number
  /** The reply. */
  readonly messageId: string
  readonly now: Timestamp
}

export interface ConversationRoom {
  readonly messages: number
  readonly textLength: number
}

/** A message of a branch, without its text. */
export interface BranchMessage extends Pick<ChatMessageRow, 'id' | 'parent_id'> {
  /** Of its text, as it is stored: not fewer than it has characters. */
  readonly bytes: number
  /** The characters of its attachments. */
  readonly attachedChars: number
}

/** A message and those before it. */
export interface BranchPart {
  readonly conversationId: string
  readonly messageId: string
  /** Of messages. */
  readonly limit: number
}

export type BranchText = Pick<ChatMessageRow, 'id' | 'role' | 'content'>

export type AttachedText = Pick<ChatAttachmentRow, 'id' | 'name' | 'text'>

export type EndedMessage = Pick<
  ChatMessageRow,
  | 'content'
  | 'reasoning'
  | 'status'
  | 'finish_reason'
  | 'problem'
  | 'tokens_in'
  | 'tokens_out'
  | 'cost_nano_usd'
>

/** A reply with what decides who may read it. */
export type OwnedReply = ChatMessageRow & Pick<ConversationRow, 'project_id'>

/** A reply in its conversation. */
export type ReplyKey = Pick<ChatMessageRow, 'id' | 'conversation_id'>

export type ReplyLease = Pick<ChatMessageRow, 'status' | 'running_until'>

/** Whether a process writes the reply: it would else have renewed the lease. */
export function isBeingWritten(
  { status, running_until: until }: ReplyLease,
  now: Timestamp,
): boolean {
  return status === 'streaming' && until !== null && until > now
}

/** The statements of turns: a message, and the reply that a model writes. */
export function chatTurnStore(db: Kysely<Tables>) {
  return {
    ...turns(db),
    ...approvals(db),
    ...branches(db),
    ...texts(db),
    ...replies(db),
    ...endings(db),
  }
}

function turns(db: Kysely<Tables>) {
  return {
    /**
     * In a transaction. False when its user has `limit` conversations in the project. One that was removed makes room, and
     * can then not be restored.
     */
    async insertConversation(row: ConversationRow, limit: number): Promise<boolean> {
      const { project_id: projectId, user_id: userId } = row
      // Conversations that begin at once are counted one after the other.
      await userStore(db).lock(userId)
      const { conversations } = await db
        .selectFrom('conversations')
        .select(({ fn }) => fn.countAll<number | string>().as('conversations'))
        .where('user_id', '=', userId)
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      if (Number(conversations) >= limit && !(await removeRemoved(db, userId, projectId))) {
        return false
      }
      await db.insertInto('conversations').values(row).execute()
      return true
    },

    /** False when the conversation was removed, or has no room for it. */
    async growConversation(
      userId: string,
      conversationId: string,
      { messages, textLength, messageId, now }: TurnGrowth,
      most: ConversationRoom,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('conversations')
        .set({
          message_count: sql<number>`message_count + ${messages}`,
          text_length: sql<number>`text_length + ${textLength}`,
          selected_message_id: messageId,
          updated_at: now,
        })
        .where('user_id', '=', userId)
        .where('id', '=', conversationId)
        .where('expires_at', 'is', null)
        .where('message_count', '<=', most.messages - messages)
        .where('text_length', '<=', most.textLength - textLength)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async insertMessage(row: ChatMessageRow): Promise<void> {
      await db.insertInto('chat_messages').values(row).execute()
    },

    /** Returns how many of them the message now has. */
    async attach(
      userId: string,
      ids: readonly string[],
      messageId: string,
      now: Timestamp,
    ): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('chat_attachments')
        .set({ message_id: messageId, expires_at: null })
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .where('message_id', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

/** The one that was removed first. False when there is none. */
async function removeRemoved(
  db: Kysely<Tables>,
  userId: string,
  projectId: string,
): Promise<boolean> {
  const first = await db
    .selectFrom('conversations')
    .select('id')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return false
  const { numDeletedRows } = await db
    .deleteFrom('conversations')
    .where('user_id', '=', userId)
    .where('id', '=', first.id)
    .where('expires_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

function approvals(db: Kysely<Tables>) {
  return {
    /** Hashes of the values that were approved in the conversation. */
    async listApprovals(userId: string, conversationId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('chat_approvals')
        .select('hash')
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .execute()
      return rows.map(({ hash }) => hash)
    },

    async insertApprovals(conversationId: string, hashes: readonly string[]): Promise<void> {
      await db
        .insertInto('chat_approvals')
        .values(hashes.map((hash) => ({ conversation_id: conversationId, hash })))
        .onConflict((conflict) => conflict.columns(['conversation_id', 'hash']).doNothing())
        .execute()
    },
  }
}

function branches(db: Kysely<Tables>) {
  return {
    /** One of the messages that follow a message; with null, one of those that begin the conversation. */
    async findChild(
      userId: string,
      conversationId: string,
      messageId: string | null,
    ): Promise<string | undefined> {
      const row = await db
        .selectFrom('chat_messages')
        .select('id')
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .where('parent_id', messageId === null ? 'is' : '=', messageId)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    async findNewestMessage(userId: string, conversationId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('chat_messages')
        .select('id')
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    findMessage(
      userId: string,
      conversationId: string,
      messageId: string,
    ): Promise<Pick<ChatMessageRow, 'id' | 'role' | 'status' | 'running_until'> | undefined> {
      return db
        .selectFrom('chat_messages')
        .select(['id', 'role', 'status', 'running_until'])
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .where('id', '=', messageId)
        .executeTakeFirst()
    },

    /** The messages of a part of a branch, the newest first. Reads no texts, however long they are. */
    async listBranch(userId: string, part: BranchPart): Promise<BranchMessage[]> {
      const { rows } = await sql<BranchMessage>`
        ${walk(db, userId, part)}
        select m.id, m.parent_id, octet_length(m.content) as bytes, (
          select coalesce(sum(chars), 0) from chat_attachments
          where user_id = ${userId} and message_id = m.id
        ) as "attachedChars"
        from branch join chat_messages m on m.id = branch.id order by depth
      `.execute(db)
      return rows.map((row) => ({ ...row, attachedChars: Number(row.attachedChars) }))
    },
  }
}

/** `branch`: the ids of the messages with their distance. Empty if the conversation has no such message. */
function walk(
  db: Kysely<Tables>,
  userId: string,
  { conversationId, messageId, limit }: BranchPart,
): RawBuilder<unknown> {
  const own = ownConversation(db, userId, conversationId)
  return sql`with recursive branch (id, parent_id, depth) as (
    select id, parent_id, 1 from chat_messages
    where conversation_id = ${own} and id = ${messageId}
    union all
    select m.id, m.parent_id, branch.depth + 1 from branch
    join chat_messages m on m.conversation_id = ${own} and m.id = branch.parent_id
    where branch.depth < ${limit}
  )`
}

function texts(db: Kysely<Tables>) {
  return {
    /** Of the messages of a part of a branch, the newest first. */
    async listBranchTexts(userId: string, part: BranchPart): Promise<BranchText[]> {
      const { rows } = await sql<BranchText>`
        ${walk(db, userId, part)}
        select m.id, m.role, m.content
        from branch join chat_messages m on m.id = branch.id order by depth
      `.execute(db)
      return rows
    },

    /** In the order in which they were added. */
    async listAttachedIds(userId: string, messageId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('chat_attachments')
        .select(['id', 'created_at'])
        .where('user_id', '=', userId)
        .where('message_id', '=', messageId)
        .execute()
      // SQLite would read all of the user to have them in order.
      return rows.toSorted(byAge).map(({ id }) => id)
    },

    findAttachedText(userId: string, id: string): Promise<AttachedText | undefined> {
      return db
        .selectFrom('chat_attachments')
        .select(['id', 'name', 'text'])
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
    },
  }
}

function replies(db: Kysely<Tables>) {
  return {
    /** A reply in a conversation of the user. Undefined also in a removed one. */
    findReply(userId: string, messageId: string): Promise<OwnedReply | undefined> {
      return db
        .selectFrom('chat_messages')
        .innerJoin('conversations', 'conversations.id', 'chat_messages.conversation_id')
        .selectAll('chat_messages')
        .select('conversations.project_id')
        .where('conversations.user_id', '=', userId)
        .where('conversations.expires_at', 'is', null)
        .where('chat_messages.id', '=', messageId)
        .where('chat_messages.role', '=', 'assistant')
        .executeTakeFirst()
    },

    /** Of a reply that `findReply` finds. Each renewal changes it, together with the text. */
    findLease(userId: string, messageId: string): Promise<ReplyLease | undefined> {
      return db
        .selectFrom('chat_messages')
        .innerJoin('conversations', 'conversations.id', 'chat_messages.conversation_id')
        .select(['chat_messages.status', 'chat_messages.running_until'])
        .where('conversations.user_id', '=', userId)
        .where('conversations.expires_at', 'is', null)
        .where('chat_messages.id', '=', messageId)
        .where('chat_messages.role', '=', 'assistant')
        .executeTakeFirst()
    },

    /** The message with the client's key, in a conversation of the user, also in a removed one. */
    findByKey(
      userId: string,
      clientKey: string,
    ): Promise<Pick<ChatMessageRow, 'id' | 'role' | 'conversation_id'> | undefined> {
      return db
        .selectFrom('chat_messages')
        .innerJoin('conversations', 'conversations.id', 'chat_messages.conversation_id')
        .select(['chat_messages.id', 'chat_messages.role', 'chat_messages.conversation_id'])
        .where('conversations.user_id', '=', userId)
        .where('chat_messages.client_key', '=', clientKey)
        .executeTakeFirst()
    },

    async findFirstReply(
      userId: string,
      conversationId: string,
      messageId: string,
    ): Promise<string | undefined> {
      const row = await db
        .selectFrom('chat_messages')
        .select('id')
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .where('parent_id', '=', messageId)
        .where('role', '=', 'assistant')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
  }
}

function endings(db: Kysely<Tables>) {
  return {
    /** Stores the text so far of a reply that is being written. False: it was stopped, or removed. */
    async renewReply(
      userId: string,
      { id, conversation_id }: ReplyKey,
      text: Pick<ChatMessageRow, 'content' | 'reasoning' | 'running_until'>,
    ): Promise<boolean> {
      const row = await db
        .updateTable('chat_messages')
        .set(text)
        .where('conversation_id', '=', ownConversation(db, userId, conversation_id))
        .where('id', '=', id)
        .where('status', '=', 'streaming')
        .returning('is_stopped')
        .executeTakeFirst()
      return row?.is_stopped === 0
    },

    /** Does nothing when the reply was removed. Its text counts for the conversation. */
    async endReply(
      userId: string,
      { id, conversation_id }: ReplyKey,
      ended: EndedMessage,
      now: Timestamp,
    ): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('chat_messages')
        .set({ ...ended, running_until: null })
        .where('conversation_id', '=', ownConversation(db, userId, conversation_id))
        .where('id', '=', id)
        .where('status', '=', 'streaming')
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return
      const length = ended.content.length + ended.reasoning.length
      await db
        .updateTable('conversations')
        .set({ text_length: sql<number>`text_length + ${length}`, updated_at: now })
        .where('user_id', '=', userId)
        .where('id', '=', conversation_id)
        .execute()
    },

    /** Asks the process that writes the reply to stop it. False when it has ended. */
    async requestStop(
      userId: string,
      { id, conversation_id }: ReplyKey,
      now: Timestamp,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('chat_messages')
        .set({ is_stopped: 1 })
        .where('conversation_id', '=', ownConversation(db, userId, conversation_id))
        .where('id', '=', id)
        .where('status', '=', 'streaming')
        .where('running_until', '>', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Replaces the first title; not one that its user has chosen meanwhile. */
    async replaceTitle(
      userId: string,
      conversationId: string,
      from: string,
      to: Pick<ConversationRow, 'title' | 'lower_title'>,
    ): Promise<void> {
      await db
        .updateTable('conversations')
        .set(to)
        .where('user_id', '=', userId)
        .where('id', '=', conversationId)
        .where('title', '=', from)
        .execute()
    },
  }
}
