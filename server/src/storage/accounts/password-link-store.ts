import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { PasswordLinkRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

export function passwordLinkStore(db: Kysely<Tables>) {
  return {
    findByUser(userId: string): Promise<PasswordLinkRow | undefined> {
      return db
        .selectFrom('password_links')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    /** Replaces the user's existing link. */
    async put(link: PasswordLinkRow): Promise<void> {
      const { user_id: _, ...rest } = link
      await db
        .insertInto('password_links')
        .values(link)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(rest))
        .execute()
    },

    find(tokenHash: string, now: Timestamp): Promise<PasswordLinkRow | undefined> {
      return db
        .selectFrom('password_links')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
    },

    /**
     * Returns the link to the one caller that uses it; undefined when there is none, or it has expired at
     * `now`.
     */
    take(tokenHash: string, now: Timestamp): Promise<PasswordLinkRow | undefined> {
      return db
        .deleteFrom('password_links')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
    },

    async removeByUser(userId: string): Promise<void> {
      await db.deleteFrom('password_links').where('user_id', '=', userId).execute()
    },
  }
}
