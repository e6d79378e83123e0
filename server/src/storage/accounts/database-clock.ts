import { type Kysely, sql } from 'kysely'
import type { Timestamp } from './column-types.ts'
import type { Tables } from './tables.ts'

/** The time of the database: one clock for all servers, for deadlines that another server may have set. */
export function databaseClock(db: Kysely<Tables>) {
  return {
    async now(): Promise<Timestamp> {
      const { rows } = await sql<{ now: string | Date }>`select current_timestamp as now`.execute(
        db,
      )
      const now = rows[0]?.now
      if (now === undefined) throw new Error('the database did not return its time')
      // SQLite uses the clock of this machine, with a resolution of one second.
      return (typeof now === 'string' ? new Date() : now).toISOString()
    },
  }
}
