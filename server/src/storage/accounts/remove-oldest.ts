import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Removes all but the newest `kept` rows of a session. `hash` is the key of the table. */
export async function removeOldest<T extends 'session_tokens' | 'session_transfers'>(
  db: Kysely<Tables>,
  table: T,
  columns: Readonly<Record<'hash' | 'time', keyof Tables[T] & string>>,
  sessionId: string,
  kept: number,
): Promise<void> {
  const [hash, time] = [sql.ref(columns.hash), sql.ref(columns.time)]
  const rows = sql`from ${sql.table(table)} where session_id = ${sessionId}`
  const newest = sql`select ${hash} ${rows} order by ${time} desc limit ${kept}`
  await sql`delete ${rows} and ${hash} not in (${newest})`.execute(db)
}
