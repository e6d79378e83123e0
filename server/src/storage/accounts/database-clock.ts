import { type Kysely, sql } from 'kysely'
import type { Tables, Timestamp } from './tables.ts'

/** The time as the database has it: one clock for all servers, for what ends at a moment that another one set. */
export function databaseClock(db: Kysely<Tables>) {
  return {
    async now(): Promise<Timestamp> {
      const { rows } = await sql<{ now: string | Date }>`select current_timestamp as now`.execute(
        db,
      )
      const now = rows[0]?.now
      if (now === undefined) throw new Error('the database did not tell the time')
      // SQLite has no clock but this machine's, and tells it to the second only.
      return (typeof now === 'string' ? new Date() : now).toISOString()
    },
  }
}
