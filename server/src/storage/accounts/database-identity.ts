import { Kysely, sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import type { FoundPart } from '../data-file.ts'

/*
 * Which installation a PostgreSQL database belongs to. Read before the migrations, so that a wrong database is left
 * unchanged.
 */

export async function inspectDatabase(url: string, log: Log): Promise<FoundPart> {
  return await connected(url, log, async (db) => {
    const { rows } = await sql<{ isUsed: boolean; isMarked: boolean }>`
      select to_regclass('migrations') is not null as "isUsed",
        to_regclass('installation_identity') is not null as "isMarked"
    `.execute(db)
    const { isUsed = false, isMarked = false } = rows[0] ?? {}
    return {
      isUsed: isUsed || isMarked,
      absence: 'empty',
      installationId: isMarked ? await readId(db) : undefined,
    }
  })
}

/** Writes the id into a database that has none. Servers that start at the same time take turns; the first one wins. */
export async function markDatabase(url: string, installationId: string, log: Log): Promise<void> {
  await connected(url, log, (db) =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('assay installation identity'))`.execute(
        transaction,
      )
      await sql`
        create table if not exists installation_identity (id text not null)
      `.execute(transaction)
      const found = await readId(transaction)
      if (found === installationId) return
      if (found !== undefined) throw new Error('Another server has just set up this database.')
      await sql`insert into installation_identity (id) values (${installationId})`.execute(
        transaction,
      )
    }),
  )
}

async function readId(db: Kysely<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from installation_identity`.execute(db)
  return rows[0]?.id
}

async function connected<T>(
  url: string,
  log: Log,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  // The driver is imported on demand: most installations use SQLite.
  const { postgresDialect } = await import('./postgres-dialect.ts')
  const options = { maxConnections: 1, statementTimeoutMs: 10_000, log }
  const db = new Kysely<unknown>({ dialect: postgresDialect(url, options) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
