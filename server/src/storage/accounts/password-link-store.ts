import type { Kysely } from 'kysely'
import type { PasswordLinkRow, Tables, Timestamp } from './tables.ts'

export function passwordLinkStore(db: Kysely<Tables>) {
  return {
    findOfUser(userId: string): Promise<PasswordLinkRow | undefined> {
      return db
        .selectFrom('password_links')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    /** In place of the one that the person had, if any. */
    async put(link: PasswordLinkRow): Promise<void> {
      const { user_id: _, ...rest } = link
      await db
        .insertInto('password_links')
        .values(link)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(rest))
        .execute()
    },

    /** The link, for the one caller who uses it up; undefined when there is none, or it has run out at `now`. */
    take(tokenHash: string, now: Timestamp): Promise<PasswordLinkRow | undefined> {
      return db
        .deleteFrom('password_links')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
    },

    async removeOfUser(userId: string): Promise<void> {
      await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
    },
  }
}
