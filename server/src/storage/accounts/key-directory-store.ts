import { type Kysely, sql } from 'kysely'
import type { KeyLogRow, KeyStatementRow } from './key-directory-tables.ts'
import type { Tables } from './tables.ts'

export function keyDirectoryStore(db: Kysely<Tables>) {
  return {
    ...logStatements(db),

    /** At most `limit` statements after `seq`, in order. They are never changed, so that pages fit together. */
    listStatements(
      organizationId: string,
      userId: string,
      seq: number,
      limit: number,
    ): Promise<KeyStatementRow[]> {
      return db
        .selectFrom('key_statements')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
        .execute()
    },

    /** The last statement; undefined without one. */
    findHead(
      organizationId: string,
      userId: string,
    ): Promise<Pick<KeyStatementRow, 'seq' | 'hash'> | undefined> {
      return db
        .selectFrom('key_statements')
        .select(['seq', 'hash'])
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    async insertStatement(row: KeyStatementRow): Promise<void> {
      await db.insertInto('key_statements').values(row).execute()
    },

    /** Which of the hashes are of used keys and device ids. */
    async listUsed(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .selectFrom('used_encryption_keys')
        .select('hash')
        .where('hash', 'in', hashes)
        .execute()
      return new Set(rows.map(({ hash }) => hash))
    },

    /** False when one of them was used before: roll the transaction back. */
    async insertUsed(hashes: readonly string[]): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('used_encryption_keys')
        // In the same order everywhere: on PostgreSQL, two transactions could otherwise wait for each other.
        .values(hashes.toSorted().map((hash) => ({ hash })))
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === BigInt(hashes.length)
    },
  }
}

/** The log of an organization. */
function logStatements(db: Kysely<Tables>) {
  return {
    findLog(organizationId: string): Promise<KeyLogRow | undefined> {
      return db
        .selectFrom('key_logs')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
    },

    /** Does nothing when the organization has one. */
    async insertLog(log: KeyLogRow): Promise<void> {
      await db
        .insertInto('key_logs')
        .values(log)
        .onConflict((conflict) => conflict.column('organization_id').doNothing())
        .execute()
    },

    /** Undefined when the organization has no log. Locks the row until the transaction ends. */
    lockLog(organizationId: string): Promise<KeyLogRow | undefined> {
      return db
        .updateTable('key_logs')
        .set({ size: sql<number>`size` })
        .where('organization_id', '=', organizationId)
        .returningAll()
        .executeTakeFirst()
    },

    async updateLog(
      organizationId: string,
      head: Pick<KeyLogRow, 'size' | 'hash' | 'signature'>,
    ): Promise<void> {
      await db
        .updateTable('key_logs')
        .set(head)
        .where('organization_id', '=', organizationId)
        .execute()
    },
  }
}
