import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/*
 * What each organization has spent on the platform model, by month (`2026-01`).
 */

export function platformSpendStore(db: Kysely<Tables>) {
  return {
    async read(organizationId: string, month: string): Promise<number> {
      const row = await db
        .selectFrom('platform_spend')
        .select('usd')
        .where('organization_id', '=', organizationId)
        .where('month', '=', month)
        .executeTakeFirst()
      return row?.usd ?? 0
    },

    /** Adds a call. */
    async add(organizationId: string, month: string, usd: number): Promise<void> {
      await db
        .insertInto('platform_spend')
        .values({ organization_id: organizationId, month, usd, calls: 1 })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'month']).doUpdateSet((row) => ({
            usd: row('platform_spend.usd', '+', row.ref('excluded.usd')),
            calls: row('platform_spend.calls', '+', row.ref('excluded.calls')),
          })),
        )
        .execute()
    },
  }
}
