import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

/** Discovery requests by client, counted by all servers on one database. */
export function ssoDiscoveryStore(db: Kysely<Tables>) {
  return {
    /** The times of the client's requests; locks the row until the transaction ends. */
    async lockRequestTimes(client: string, expiresAt: Timestamp): Promise<readonly number[]> {
      const row = await db
        .insertInto('sso_discovery_clients')
        .values({ client, request_times: '', expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('client').doUpdateSet({ expires_at: expiresAt }))
        .returning('request_times')
        .executeTakeFirstOrThrow()
      return row.request_times
        .split(' ')
        .filter((one) => one !== '')
        .map(Number)
    },

    async saveRequestTimes(client: string, times: readonly number[]): Promise<void> {
      await db
        .updateTable('sso_discovery_clients')
        .set({ request_times: times.join(' ') })
        .where('client', '=', client)
        .execute()
    },

    async removeExpired(now: Timestamp): Promise<void> {
      await db.deleteFrom('sso_discovery_clients').where('expires_at', '<=', now).execute()
    },
  }
}
