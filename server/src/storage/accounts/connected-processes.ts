import { sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import { connected } from './database-identity.ts'

/*
 * Whether processes of Assay use a PostgreSQL database, by the names of their connections. Every service has a pool, over
 * which it sends its heartbeats, and a connection for notifications, over which it sends a statement with each of them.
 *
 * Unlike a lock of its session, a name also shows a process that cannot open the connection for notifications, and one
 * behind a pooler in transaction mode, which gives the locks of a session to others.
 */

/** Throws a one-line error while there are any. This process must not have used the database before. */
export async function checkNoProcesses(url: string, log: Log, idleSecondsMax = 60): Promise<void> {
  const addresses = await connected(url, log, async (db) => {
    // A connection whose machine was lost stays for hours, but does nothing. Users without rights see no times of the
    // connections of others.
    const { rows } = await sql<{ address: string | null }>`
      select distinct host(client_addr) as address from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and starts_with(application_name, 'assay')
        and (state = 'active' or coalesce(state_change > now() - make_interval(secs => ${idleSecondsMax}), true))
      order by address
    `.execute(db)
    return rows.map(({ address }) => address)
  })
  if (addresses.length === 0) return
  const known = addresses.filter((address) => address !== null)
  const from = known.length === 0 ? '' : `, connected from ${known.join(', ')}`
  throw new Error(
    `Other processes of Assay use the database in ASSAY_DATABASE_URL${from}. Stop all of them, and repeat the command. After one was killed or its machine was lost, wait a minute.`,
  )
}
