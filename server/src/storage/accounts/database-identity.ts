import { Kysely, sql } from 'kysely'
import type { Log } from '../../platform/log.ts'
import type { FoundPart } from '../data-file.ts'

/*
 * Which installation a PostgreSQL database belongs to, and where its telemetry is. Read before the migrations, so that a
 * wrong database is left unchanged.
 */

/** Where the telemetry of an installation is: in a data folder or in ClickHouse. */
export type TelemetryPart = 'telemetry.sqlite' | 'ClickHouse'

export interface FoundDatabase extends FoundPart {
  /** Undefined while none has been stored for good. */
  readonly telemetry: TelemetryPart | undefined
}

export async function inspectDatabase(url: string, log: Log): Promise<FoundDatabase> {
  return await connected(url, log, async (db) => {
    const { rows } = await sql<{ isUsed: boolean; isMarked: boolean }>`
      select to_regclass('migrations') is not null as "isUsed",
        to_regclass('installation_identity') is not null as "isMarked"
    `.execute(db)
    const { isUsed = false, isMarked = false } = rows[0] ?? {}
    const identity = isMarked ? await readIdentity(db) : undefined
    return {
      isUsed: isUsed || isMarked,
      absence: 'empty',
      installationId: identity?.id,
      telemetry: identity?.telemetry ?? undefined,
    }
  })
}

/**
 * Writes the id into a database that has none. Returns the id that it has then: servers that start at the same time take
 * turns, and the first one wins.
 */
export async function markDatabase(url: string, id: string, log: Log): Promise<string> {
  return await connected(url, log, (db) =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('assay installation identity'))`.execute(
        transaction,
      )
      await sql`
        create table if not exists installation_identity (id text not null, telemetry text)
      `.execute(transaction)
      const found = await readIdentity(transaction)
      if (found !== undefined) return found.id
      await sql`insert into installation_identity (id) values (${id})`.execute(transaction)
      return id
    }),
  )
}

/** Marks a database that has no id, in the transaction that fills it. */
export async function writeIdentity(
  transaction: Kysely<unknown>,
  id: string,
  telemetry: TelemetryPart,
): Promise<void> {
  await sql`
    create table if not exists installation_identity (id text not null, telemetry text)
  `.execute(transaction)
  if ((await readIdentity(transaction)) !== undefined) {
    throw new Error('Another server has just set up this database.')
  }
  await sql`insert into installation_identity (id, telemetry) values (${id}, ${telemetry})`.execute(
    transaction,
  )
}

/** Records where the telemetry of a marked database is; undefined where it was given up. */
export async function setTelemetryPart(
  url: string,
  part: TelemetryPart | undefined,
  log: Log,
): Promise<void> {
  await connected(url, log, (db) =>
    sql`update installation_identity set telemetry = ${part ?? null}`.execute(db),
  )
}

interface Identity {
  readonly id: string
  readonly telemetry: TelemetryPart | null
}

async function readIdentity(db: Kysely<unknown>): Promise<Identity | undefined> {
  const { rows } = await sql<Identity>`select id, telemetry from installation_identity`.execute(db)
  return rows[0]
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
