import type { Kysely } from 'kysely'
import type { PlatformAccessRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

export function platformAccessStore(db: Kysely<Tables>) {
  return {
    /** In no particular order: the engines sort text differently. */
    list(): Promise<(PlatformAccessRow & { readonly adder: string | null })[]> {
      return db
        .selectFrom('platform_access')
        .leftJoin('users', 'users.id', 'platform_access.added_by')
        .selectAll('platform_access')
        .select('users.email as adder')
        .execute()
    },

    async count(): Promise<number> {
      const row = await db
        .selectFrom('platform_access')
        .select((approval) => approval.fn.countAll<number | string>().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(row.rows)
    },

    /** Whether one of the patterns exists. */
    async hasAny(patterns: readonly string[]): Promise<boolean> {
      const row = await db
        .selectFrom('platform_access')
        .select('id')
        .where('pattern', 'in', patterns)
        .executeTakeFirst()
      return row !== undefined
    },

    /** False when the pattern already exists. */
    async insert(access: PlatformAccessRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('platform_access')
        .values(access)
        .onConflict((conflict) => conflict.column('pattern').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Returns the removed pattern; undefined when there is none with that id. */
    remove(id: string): Promise<PlatformAccessRow | undefined> {
      return db.deleteFrom('platform_access').where('id', '=', id).returningAll().executeTakeFirst()
    },
  }
}
