import { type Kysely, sql } from 'kysely'
import type { SecretPlace } from '../../platform/secret-box.ts'
import type { Tables } from './tables.ts'

/*
 * The columns with sealed secrets, independent of their purpose: to re-encrypt them with another master
 * key.
 */

/** Every column with sealed secrets, in tables with `id` and `organization_id`. */
const sealedColumns = [
  { table: 'sso_configs', column: 'client_secret' },
  { table: 'model_configs', column: 'api_key' },
  { table: 'key_logs', column: 'private_key' },
  { table: 'alert_rules', column: 'webhook' },
] as const

export interface SealedSecret extends SecretPlace {
  readonly sealed: string
}

export function sealedStore(db: Kysely<Tables>) {
  return {
    async findCanary(): Promise<string | undefined> {
      const row = await db.selectFrom('master_key').select('canary').executeTakeFirst()
      return row?.canary
    },

    /** False when there is one already. */
    async insertCanary(canary: string): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('master_key')
        .values({ id: 1, canary })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async updateCanary(canary: string): Promise<void> {
      await db.updateTable('master_key').set({ canary }).execute()
    },

    /** At most `limit` of the secrets that do not start with `prefix`. */
    async listWithout(prefix: string, limit: number): Promise<readonly SealedSecret[]> {
      const found: SealedSecret[] = []
      for (const { table, column } of sealedColumns) {
        const { rows } = await sql<SealedSecret>`
          select ${table} as "table", ${column} as "column",
            organization_id as "organizationId", id as "rowId", ${sql.ref(column)} as "sealed"
          from ${sql.table(table)}
          where ${outside(column, prefix)}
          limit ${limit - found.length}
        `.execute(db)
        found.push(...rows)
      }
      return found
    },

    /** How many secrets do not start with `prefix`. */
    async countWithout(prefix: string): Promise<number> {
      let total = 0
      for (const { table, column } of sealedColumns) {
        const { rows } = await sql<{ count: number | string }>`
          select count(*) as count from ${sql.table(table)} where ${outside(column, prefix)}
        `.execute(db)
        total += Number(rows[0]?.count ?? 0)
      }
      return total
    },

    /** False when the secret has changed in the meantime. */
    async replace({ table, column, rowId, sealed }: SealedSecret, next: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${next}
        where id = ${rowId} and ${sql.ref(column)} = ${sealed}
      `.execute(db)
      return numAffectedRows === 1n
    },
  }
}

function outside(column: string, prefix: string) {
  return sql<boolean>`${sql.ref(column)} is not null and ${sql.ref(column)} not like ${`${prefix}%`}`
}
