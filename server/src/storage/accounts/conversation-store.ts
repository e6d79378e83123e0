import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { ChatAttachmentRow, ChatMessageRow, ConversationRow } from './chat-tables.ts'
import type { Timestamp } from './column-types.ts'
import { ownConversation } from './own-conversation.ts'
import type { Tables } from './tables.ts'

/** The place of a conversation in the list. */
export type ConversationPosition = Pick<ConversationRow, 'updated_at' | 'id'>

export interface ConversationQuery {
  readonly limit: number
  /** Only what follows it in the list. */
  readonly after?: ConversationPosition | undefined
}

export type ConversationChange = Partial<
  Pick<
    ConversationRow,
    'title' | 'lower_title' | 'sealed_title' | 'selected_message_id' | 'updated_at'
  >
>

export type ConversationHead = Omit<ConversationRow, 'lower_title' | 'text_length'>

export type ListedConversation = ConversationHead & Pick<ConversationRow, 'lower_title'>

export interface MessageSize {
  readonly id: string
  /** Of its text, as it is stored. */
  readonly bytes: number
}

/** What a message lists of its attachments. */
export type AttachedFile = Pick<
  ChatAttachmentRow,
  'id' | 'name' | 'extension' | 'size' | 'chars' | 'truncated'
> & { readonly message_id: string }

/**
 * The conversations of users. A removed one is not found, except to be restored. How turns add to them is in
 * chat-turn-store.ts.
 */
export function conversationStore(db: Kysely<Tables>) {
  return { ...heads(db), ...changes(db), ...contents(db) }
}

const headColumns = [
  ...(['id', 'project_id', 'user_id', 'title', 'encrypted', 'sealed_title'] as const),
  ...(['message_count', 'selected_message_id', 'created_at', 'updated_at', 'expires_at'] as const),
] as const satisfies readonly (keyof ConversationHead)[]

/** Whether it was not removed, or not long ago. */
const isRestorable =
  (now: Timestamp) =>
  ({ eb, or }: ExpressionBuilder<Tables, 'conversations'>) =>
    or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])

function heads(db: Kysely<Tables>) {
  const own = (userId: string, id: string) =>
    db
      .selectFrom('conversations')
      .select(headColumns)
      .where('user_id', '=', userId)
      .where('id', '=', id)

  return {
    find(userId: string, id: string): Promise<ConversationHead | undefined> {
      return own(userId, id).where('expires_at', 'is', null).executeTakeFirst()
    },

    /** Also one that was removed, as long as it can be restored. */
    findRestorable(
      userId: string,
      id: string,
      now: Timestamp,
    ): Promise<ConversationHead | undefined> {
      return own(userId, id).where(isRestorable(now)).executeTakeFirst()
    },

    /** The newest first. */
    list(
      userId: string,
      projectId: string,
      { limit, after }: ConversationQuery,
    ): Promise<ListedConversation[]> {
      let query = db
        .selectFrom('conversations')
        .select([...headColumns, 'lower_title'])
        .where('user_id', '=', userId)
        .where('project_id', '=', projectId)
        .where('expires_at', 'is', null)
      if (after !== undefined) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('updated_at', 'id'), '<', tuple(after.updated_at, after.id)),
        )
      }
      return query.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

function changes(db: Kysely<Tables>) {
  const own = (userId: string, id: string) =>
    db.updateTable('conversations').where('user_id', '=', userId).where('id', '=', id)

  return {
    /**
     * Returns the conversation after the change. Undefined when there is no such conversation, or the message to select
     * is not in it.
     */
    update(
      userId: string,
      id: string,
      change: ConversationChange,
    ): Promise<ConversationHead | undefined> {
      const { selected_message_id: selected } = change
      return own(userId, id)
        .set({ id, ...change })
        .where('expires_at', 'is', null)
        .$if(selected !== undefined, (query) =>
          query.where(({ exists, selectFrom }) =>
            exists(
              selectFrom('chat_messages')
                .select('chat_messages.id')
                .where('conversation_id', '=', id)
                .where('chat_messages.id', '=', selected ?? ''),
            ),
          ),
        )
        .returning(headColumns)
        .executeTakeFirst()
    },

    /**
     * Returns the ids of the replies that are to stop, for their process to find. Undefined when there is no such
     * conversation.
     */
    async remove(
      userId: string,
      id: string,
      expiresAt: Timestamp,
    ): Promise<readonly string[] | undefined> {
      const { numUpdatedRows } = await own(userId, id)
        .set({ expires_at: expiresAt })
        .where('expires_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return undefined
      const stopped = await db
        .updateTable('chat_messages')
        .set({ is_stopped: 1 })
        .where('conversation_id', '=', id)
        .where('status', '=', 'streaming')
        .returning('id')
        .execute()
      return stopped.map((reply) => reply.id)
    },

    /** Removes at most `limit` conversations of the project for good, and returns how many. */
    async removeOfProject(projectId: string, limit: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('conversations')
        .where('project_id', '=', projectId)
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('conversations').select('id').where('project_id', '=', projectId).limit(limit),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Undefined when there is no such conversation, or it can no longer be restored. */
    restore(userId: string, id: string, now: Timestamp): Promise<ConversationHead | undefined> {
      return own(userId, id)
        .set({ expires_at: null })
        .where(isRestorable(now))
        .returning(headColumns)
        .executeTakeFirst()
    },
  }
}

function contents(db: Kysely<Tables>) {
  return {
    /** Of all messages, oldest first; of those of one time, users' messages first. */
    async listMessageSizes(userId: string, conversationId: string): Promise<MessageSize[]> {
      const rows = await db
        .selectFrom('chat_messages')
        .select(['id', sql<number>`octet_length(content) + octet_length(reasoning)`.as('bytes')])
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .orderBy('created_at')
        .orderBy('role', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }))
    },

    /** In no particular order. */
    listMessages(
      userId: string,
      conversationId: string,
      ids: readonly string[],
    ): Promise<ChatMessageRow[]> {
      return db
        .selectFrom('chat_messages')
        .selectAll()
        .where('conversation_id', '=', ownConversation(db, userId, conversationId))
        .where('id', 'in', ids)
        .execute()
    },

    /** By message, oldest first, without their text. */
    async listAttachedFiles(
      userId: string,
      messageIds: readonly string[],
    ): Promise<AttachedFile[]> {
      const rows = await db
        .selectFrom('chat_attachments')
        .select(['id', 'message_id', 'name', 'extension', 'size', 'chars', 'truncated'])
        .where('user_id', '=', userId)
        .where('message_id', 'in', messageIds)
        .orderBy('message_id')
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...row, message_id: row.message_id ?? '' }))
    },
  }
}
