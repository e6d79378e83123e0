import type { Kysely } from 'kysely'
import type { SsoFlowRow, SsoUsedAssertionRow, Tables, Timestamp } from './tables.ts'

/** Sign-ins under way at identity providers: each is found by the hash of its state and ends once. */
export function ssoFlowStore(db: Kysely<Tables>) {
  return {
    async insert(flow: SsoFlowRow): Promise<void> {
      await db.insertInto('sso_flows').values(flow).execute()
    },

    find(stateHash: string): Promise<SsoFlowRow | undefined> {
      return db
        .selectFrom('sso_flows')
        .selectAll()
        .where('state_hash', '=', stateHash)
        .executeTakeFirst()
    },

    /** False when the flow is gone or has been answered before. */
    async saveAssertion(stateHash: string, asserted: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sso_flows')
        .set({ asserted })
        .where('state_hash', '=', stateHash)
        .where('asserted', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** The flow, for one of any number that come for it, and only to the browser that began it. */
    take(stateHash: string, browserHash: string): Promise<SsoFlowRow | undefined> {
      return db
        .deleteFrom('sso_flows')
        .where('state_hash', '=', stateHash)
        .where('browser_hash', '=', browserHash)
        .returningAll()
        .executeTakeFirst()
    },

    /** The latest that waits for this browser to connect an account. */
    findLink(browserHash: string): Promise<SsoFlowRow | undefined> {
      return db
        .selectFrom('sso_flows')
        .selectAll()
        .where('browser_hash', '=', browserHash)
        .where('purpose', '=', 'link')
        .orderBy('expires_at', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /** False when the assertion was used before. */
    async useAssertion(assertion: SsoUsedAssertionRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('sso_used_assertions')
        .values(assertion)
        .onConflict((conflict) => conflict.columns(['sso_config_id', 'assertion_id']).doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async removeExpired(now: Timestamp): Promise<void> {
      await db.deleteFrom('sso_flows').where('expires_at', '<=', now).execute()
      await db.deleteFrom('sso_used_assertions').where('expires_at', '<=', now).execute()
    },
  }
}
