import { type Kysely, sql } from 'kysely'
import type { ChatAttachmentRow } from './chat-tables.ts'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

/** An upload that no message has yet. */
export type NewAttachment = Pick<
  ChatAttachmentRow,
  'id' | 'name' | 'chars' | 'blocked' | 'findings' | 'created_at'
>

export interface ChatAttachmentShare {
  readonly count: number
  readonly chars: number
}

/** For `toSorted`: the order in which they were added. */
export function byAge<Row extends Pick<ChatAttachmentRow, 'id' | 'created_at'>>(
  one: Row,
  other: Row,
) {
  return `${one.created_at} ${one.id}` < `${other.created_at} ${other.id}` ? -1 : 1
}

const copiedColumns = [
  ...(['user_id', 'name', 'extension', 'size', 'chars', 'text', 'truncated', 'pages'] as const),
  ...(['notes', 'findings', 'blocked', 'created_at'] as const),
] as const satisfies readonly (keyof ChatAttachmentRow)[]

export function chatAttachmentStore(db: Kysely<Tables>) {
  return {
    async insert(row: ChatAttachmentRow): Promise<void> {
      await db.insertInto('chat_attachments').values(row).execute()
    },

    /** Removes the oldest attachments of a user that no message has, beyond the share of the newest. */
    async removeOldest(userId: string, { count, chars }: ChatAttachmentShare): Promise<void> {
      const newestFirst = sql`(partition by user_id order by created_at desc, id desc)`
      const numbered = sql`select id, row_number() over ${newestFirst} as place, sum(chars) over ${newestFirst} as total from chat_attachments where user_id = ${userId} and message_id is null`
      const oldest = sql`select id from (${numbered}) as numbered where place > ${count} or total > ${chars}`
      await sql`delete from chat_attachments where user_id = ${userId} and id in (${oldest})`.execute(
        db,
      )
    },

    /** Those of the attachments that belong to the user, have no message and have not expired, without their text. */
    listNew(userId: string, ids: readonly string[], now: Timestamp): Promise<NewAttachment[]> {
      return db
        .selectFrom('chat_attachments')
        .select(['id', 'name', 'chars', 'blocked', 'findings', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .where('message_id', 'is', null)
        .where('expires_at', '>', now)
        .execute()
    },

    /** Those of the attachments that messages of a conversation of the user have, without their text. */
    listAttached(
      userId: string,
      conversationId: string,
      ids: readonly string[],
    ): Promise<Pick<ChatAttachmentRow, 'id' | 'name' | 'chars' | 'created_at'>[]> {
      return db
        .selectFrom('chat_attachments')
        .innerJoin('chat_messages', 'chat_messages.id', 'chat_attachments.message_id')
        .select(['chat_attachments.id', 'chat_attachments.name', 'chat_attachments.chars'])
        .select('chat_attachments.created_at')
        .where('chat_attachments.user_id', '=', userId)
        .where('chat_attachments.id', 'in', ids)
        .where('chat_messages.conversation_id', '=', conversationId)
        .execute()
    },

    /** Gives a message a copy of an attachment of the user. False when it is gone. */
    async copy(
      userId: string,
      id: string,
      { id: copyId, message_id: messageId }: Pick<ChatAttachmentRow, 'id' | 'message_id'>,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('chat_attachments')
        .columns(['id', 'message_id', 'expires_at', ...copiedColumns])
        .expression(({ selectFrom }) =>
          selectFrom('chat_attachments')
            .select([
              sql<string>`${copyId}`.as('id'),
              sql<string>`${messageId}`.as('message_id'),
              sql<null>`null`.as('expires_at'),
              ...copiedColumns,
            ])
            .where('user_id', '=', userId)
            .where('id', '=', id),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
