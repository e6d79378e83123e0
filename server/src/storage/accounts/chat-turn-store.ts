import { type Kysely, sql } from 'kysely'
import type { ChatAttachmentRow, ChatMessageRow, ConversationRow } from './chat-tables.ts'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

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
export interface BranchMessage
  extends Pick<ChatMessageRow, 'id' | 'role' | 'status' | 'running_until'> {
  readonly contentLength: number
}

export type AttachmentText = Pick<ChatAttachmentRow, 'id' | 'name' | 'text'> & {
  readonly message_id: string | null
}

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

/** The statements of turns: a message, and the reply that a model writes. */
export function chatTurnStore(db: Kysely<Tables>) {
  return { ...turns(db), ...approvals(db), ...branches(db), ...replies(db), ...endings(db) }
}

function turns(db: Kysely<Tables>) {
  return {
    async countConversations(projectId: string, userId: string): Promise<number> {
      const { conversations } = await db
        .selectFrom('conversations')
        .select(({ fn }) => fn.countAll<number | string>().as('conversations'))
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(conversations)
    },

    async insertConversation(row: ConversationRow): Promise<void> {
      await db.insertInto('conversations').values(row).execute()
    },

    /** False when the conversation was removed, or has no room for it. */
    async growConversation(
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

    /** Those of the attachments that belong to the user, have no message and have not expired, without their text. */
    listNewAttachments(
      userId: string,
      ids: readonly string[],
      now: Timestamp,
    ): Promise<Pick<ChatAttachmentRow, 'id' | 'name' | 'chars' | 'blocked' | 'findings'>[]> {
      return db
        .selectFrom('chat_attachments')
        .select(['id', 'name', 'chars', 'blocked', 'findings'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .where('message_id', 'is', null)
        .where('expires_at', '>', now)
        .execute()
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

function approvals(db: Kysely<Tables>) {
  return {
    /** Hashes of the values that were approved in the conversation. */
    async listApprovals(conversationId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('chat_approvals')
        .select('hash')
        .where('conversation_id', '=', conversationId)
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
    async findNewestMessage(conversationId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('chat_messages')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    /** The message and those before it, the newest first. Empty if the conversation has no such message. */
    async listBranch(conversationId: string, messageId: string): Promise<BranchMessage[]> {
      const { rows } = await sql<BranchMessage>`
        with recursive branch (id, parent_id, role, status, running_until, length, depth) as (
          select id, parent_id, role, status, running_until, length(content), 0
          from chat_messages where conversation_id = ${conversationId} and id = ${messageId}
          union all
          select m.id, m.parent_id, m.role, m.status, m.running_until, length(m.content), branch.depth + 1
          from chat_messages m join branch on m.id = branch.parent_id
          where m.conversation_id = ${conversationId}
        )
        select id, role, status, running_until, length as "contentLength" from branch order by depth
      `.execute(db)
      return rows
    },

    /** Without texts, in no particular order. */
    listAttachmentLengths(
      messageIds: readonly string[],
    ): Promise<Pick<ChatAttachmentRow, 'id' | 'message_id' | 'name' | 'chars'>[]> {
      return db
        .selectFrom('chat_attachments')
        .select(['id', 'message_id', 'name', 'chars'])
        .where('message_id', 'in', messageIds)
        .execute()
    },

    listTexts(
      conversationId: string,
      messageIds: readonly string[],
    ): Promise<Pick<ChatMessageRow, 'id' | 'role' | 'content'>[]> {
      return db
        .selectFrom('chat_messages')
        .select(['id', 'role', 'content'])
        .where('conversation_id', '=', conversationId)
        .where('id', 'in', messageIds)
        .execute()
    },

    /** In the order in which they were added. */
    listAttachmentTexts(userId: string, ids: readonly string[]): Promise<AttachmentText[]> {
      return db
        .selectFrom('chat_attachments')
        .select(['id', 'message_id', 'name', 'text'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
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
        .where('chat_messages.id', '=', messageId)
        .where('chat_messages.role', '=', 'assistant')
        .where('conversations.user_id', '=', userId)
        .where('conversations.expires_at', 'is', null)
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
        .where('chat_messages.client_key', '=', clientKey)
        .where('conversations.user_id', '=', userId)
        .executeTakeFirst()
    },

    async findFirstReply(conversationId: string, messageId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('chat_messages')
        .select('id')
        .where('conversation_id', '=', conversationId)
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
      messageId: string,
      text: Pick<ChatMessageRow, 'content' | 'reasoning' | 'running_until'>,
    ): Promise<boolean> {
      const row = await db
        .updateTable('chat_messages')
        .set(text)
        .where('id', '=', messageId)
        .where('status', '=', 'streaming')
        .returning('is_stopped')
        .executeTakeFirst()
      return row?.is_stopped === 0
    },

    /** Does nothing when the reply was removed. Its text counts for the conversation. */
    async endReply(messageId: string, ended: EndedMessage, now: Timestamp): Promise<void> {
      const row = await db
        .updateTable('chat_messages')
        .set({ ...ended, running_until: null })
        .where('id', '=', messageId)
        .where('status', '=', 'streaming')
        .returning('conversation_id')
        .executeTakeFirst()
      if (row === undefined) return
      const length = ended.content.length + ended.reasoning.length
      await db
        .updateTable('conversations')
        .set({ text_length: sql<number>`text_length + ${length}`, updated_at: now })
        .where('id', '=', row.conversation_id)
        .execute()
    },

    /** Asks the process that writes the reply to stop it. False when it has ended. */
    async requestStop(messageId: string, now: Timestamp): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('chat_messages')
        .set({ is_stopped: 1 })
        .where('id', '=', messageId)
        .where('status', '=', 'streaming')
        .where('running_until', '>', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Replaces the first title; not one that its user has chosen meanwhile. */
    async replaceTitle(
      conversationId: string,
      from: string,
      to: Pick<ConversationRow, 'title' | 'lower_title'>,
    ): Promise<void> {
      await db
        .updateTable('conversations')
        .set(to)
        .where('id', '=', conversationId)
        .where('title', '=', from)
        .execute()
    },
  }
}
