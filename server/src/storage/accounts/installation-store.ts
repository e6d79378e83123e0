import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

export function installationStore(db: Kysely<Tables>) {
  return {
    async isSetUp(): Promise<boolean> {
      const row = await db.selectFrom('installation').select('id').executeTakeFirst()
      return row !== undefined
    },

    /** Locks the row until the transaction ends. Undefined before the setup. */
    async lock(): Promise<void> {
      await db.updateTable('installation').set({ id: 1 }).execute()
    },

    /**
     * True for the one caller that may set up the service; a concurrent one waits for the first
     * transaction.
     */
    async claim(at: Timestamp): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('installation')
        .values({ id: 1, set_up_at: at })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
