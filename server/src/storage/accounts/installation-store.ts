import type { Kysely } from 'kysely'
import type { Tables, Timestamp } from './tables.ts'

export function installationStore(db: Kysely<Tables>) {
  return {
    async isSetUp(): Promise<boolean> {
      const row = await db.selectFrom('installation').select('id').executeTakeFirst()
      return row !== undefined
    },

    /** Until the transaction ends, nobody else gets it from here. Nothing before the set-up. */
    async lock(): Promise<void> {
      await db.updateTable('installation').set({ id: 1 }).execute()
    },

    /** True for the one caller who may set the service up; of two at once the second waits for the first's end. */
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
