import type { Kysely } from 'kysely'
import type { Tables, Timestamp } from './tables.ts'

/** Discovery requests by client, counted by all servers on one database. */
export function ssoDiscoveryStore(db: Kysely<Tables>) {
  return {
    /** The times of the client's requests; locks the row until the transaction ends. */
    async lockRecent(client: string, expiresAt: Timestamp): Promise<readonly number[]> {
      const { recent } = await db
        .insertInto('sso_discovery_clients')
        .values({ client, recent: '', expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('client').doUpdateSet({ expires_at: expiresAt }))
        .returning('recent')
        .executeTakeFirstOrThrow()
      return recent
        .split(' ')
        .filter((one) => one !== '')
        .map(Number)
    },

    async saveRecent(client: string, recent: readonly number[]): Promise<void> {
      await db
        .updateTable('sso_discovery_clients')
        .set({ recent: recent.join(' ') })
        .where('client', '=', client)
        .execute()
    },

    async removeExpired(now: Timestamp): Promise<void> {
      await db.deleteFrom('sso_discovery_clients').where('expires_at', '<=', now).execute()
    },
  }
}
