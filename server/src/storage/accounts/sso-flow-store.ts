import type { Kysely } from 'kysely'
import type { SsoFlowRow, SsoUsedAssertionRow } from './sso-tables.ts'
import type { Tables } from './tables.ts'

/** Sign-ins in progress at identity providers, by the hash of their state. Each can be completed once. */
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

    /** False when the flow no longer exists or already has a response. */
    async saveAssertion(stateHash: string, identity: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sso_flows')
        .set({ asserted_identity: identity })
        .where('state_hash', '=', stateHash)
        .where('asserted_identity', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Returns the flow to one caller only, with the browser that started it. */
    take(stateHash: string, browserHash: string): Promise<SsoFlowRow | undefined> {
      return db
        .deleteFrom('sso_flows')
        .where('state_hash', '=', stateHash)
        .where('browser_hash', '=', browserHash)
        .returningAll()
        .executeTakeFirst()
    },

    /** The latest flow in which this browser is to connect an account. */
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
  }
}
