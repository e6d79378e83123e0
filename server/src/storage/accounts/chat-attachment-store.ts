import { type Kysely, sql } from 'kysely'
import type { ChatAttachmentRow } from './chat-tables.ts'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

/** An upload that no message has yet. */
export type NewAttachment = Pick<
  ChatAttachmentRow,
  'id' | 'name' | 'chars' | 'blocked' | 'findings'
>

export interface ChatAttachmentShare {
  readonly count: number
  readonly chars: number
}

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
        .select(['id', 'name', 'chars', 'blocked', 'findings'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .where('message_id', 'is', null)
        .where('expires_at', '>', now)
        .execute()
    },
  }
}
