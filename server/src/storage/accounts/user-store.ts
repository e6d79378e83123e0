import { type Kysely, sql } from 'kysely'
import type { UserRow } from './people-tables.ts'
import type { Tables } from './tables.ts'

export interface UserQuery {
  readonly limit: number
  /** An `email_key`. */
  readonly after?: string | undefined
  /** Ignoring case. */
  readonly part?: string | undefined
}

export type UserChange = Partial<
  Pick<
    UserRow,
    | 'name'
    | 'password_hash'
    | 'email_verified_at'
    | 'email_verified_by'
    | 'is_super_admin'
    | 'disabled_at'
  >
>

export function userStore(db: Kysely<Tables>) {
  return {
    findByEmailKey(emailKey: string): Promise<UserRow | undefined> {
      return db.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst()
    },

    find(id: string): Promise<UserRow | undefined> {
      return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Of those that exist, in no particular order. */
    async listNames(ids: readonly string[]): Promise<Pick<UserRow, 'id' | 'name'>[]> {
      if (ids.length === 0) return []
      return await db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute()
    },

    /**
     * At most `limit` users by address, after `after`; with `part`, users whose address or name contains
     * it.
     */
    list({ limit, after, part }: UserQuery): Promise<UserRow[]> {
      let query = db.selectFrom('users').selectAll()
      if (after !== undefined) query = query.where('email_key', '>', after)
      if (part !== undefined) {
        const pattern = `%${part.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
        query = query.where((row) =>
          row.or([
            sql<boolean>`${row.ref('email_key')} like ${pattern} escape '\\'`,
            sql<boolean>`lower(${row.ref('name')}) like ${pattern} escape '\\'`,
          ]),
        )
      }
      return query.orderBy('email_key').limit(limit).execute()
    },

    /** In no particular order: the engines sort text differently. */
    listSuperAdmins(): Promise<UserRow[]> {
      return db.selectFrom('users').selectAll().where('is_super_admin', '=', 1).execute()
    },

    /** Returns the user after the change; undefined when there is no such user. */
    update(id: string, change: UserChange): Promise<UserRow | undefined> {
      return db
        .updateTable('users')
        .set({ id, ...change })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /**
     * Locks the user until the transaction ends, so that decisions based on its data still hold at the
     * commit.
     */
    lock(id: string): Promise<UserRow | undefined> {
      return db
        .updateTable('users')
        .set({ id })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
    },

    /** False when the address already has an account. */
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
