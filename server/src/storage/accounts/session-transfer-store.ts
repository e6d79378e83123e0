import type { Kysely } from 'kysely'
import type { Timestamp } from './column-types.ts'
import { removeOldest } from './remove-oldest.ts'
import type { SessionTransferRow } from './session-tables.ts'
import type { Tables } from './tables.ts'

export function sessionTransferStore(db: Kysely<Tables>) {
  return {
    async insert(transfer: SessionTransferRow): Promise<void> {
      await db.insertInto('session_transfers').values(transfer).execute()
    },

    /** Removes all but the newest `kept` of a session. */
    async removeOldest(sessionId: string, kept: number): Promise<void> {
      const columns = { hash: 'code_hash', time: 'expires_at' } as const
      await removeOldest(db, 'session_transfers', columns, sessionId, kept)
    },

    /**
     * Returns the transfer to the one caller that takes it; undefined unless both hashes match and it has
     * not expired.
     */
    take(
      codeHash: string,
      flowHash: string,
      now: Timestamp,
    ): Promise<SessionTransferRow | undefined> {
      return db
        .deleteFrom('session_transfers')
        .where('code_hash', '=', codeHash)
        .where('flow_hash', '=', flowHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
