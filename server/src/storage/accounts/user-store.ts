import type { Kysely } from 'kysely'
import type { Tables, UserRow } from './tables.ts'

export function userStore(db: Kysely<Tables>) {
  return {
    findByEmailKey(emailKey: string): Promise<UserRow | undefined> {
      return db.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst()
    },

    /**
     * The person, whom no other transaction changes before this one ends: what is decided on what it says still
     * holds when it is written.
     */
    lock(id: string): Promise<UserRow | undefined> {
      return db
        .updateTable('users')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** False when the address has an account already. */
    async insert(user: UserRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
