import type { Kysely } from 'kysely'
import type { HandOffRow, Tables, Timestamp } from './tables.ts'

export function handOffStore(db: Kysely<Tables>) {
  return {
    async insert(handOff: HandOffRow): Promise<void> {
      await db.insertInto('hand_offs').values(handOff).execute()
    },

    /** The hand-off, for the one caller who takes it; undefined unless both hashes fit and it has not run out. */
    take(codeHash: string, flowHash: string, now: Timestamp): Promise<HandOffRow | undefined> {
      return db
        .deleteFrom('hand_offs')
        .where('code_hash', '=', codeHash)
        .where('flow_hash', '=', flowHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
    },

    async removeEnded(now: Timestamp): Promise<void> {
      await db.deleteFrom('hand_offs').where('expires_at', '<=', now).execute()
    },
  }
}
