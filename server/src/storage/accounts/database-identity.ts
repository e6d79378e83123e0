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
  /** The databases of ClickHouse that have its telemetry. */
  readonly shards: readonly RecordedShard[]
}

export interface RecordedShard {
  readonly id: string
  /** Of the last start: the server and the database. */
  readonly address: string
}

export async function inspectDatabase(url: string, log: Log): Promise<FoundDatabase> {
  return await connected(url, log, async (db) => {
    const { rows } = await sql<{ isUsed: boolean; isMarked: boolean; hasShards: boolean }>`
      select to_regclass('migrations') is not null as "isUsed",
        to_regclass('installation_identity') is not null as "isMarked",
        to_regclass('telemetry_shards') is not null as "hasShards"
    `.execute(db)
    const { isUsed = false, isMarked = false, hasShards = false } = rows[0] ?? {}
    const identity = isMarked ? await readIdentity(db) : undefined
    return {
      isUsed: isUsed || isMarked,
      absence: 'empty',
      installationId: identity?.id,
      telemetry: identity?.telemetry ?? undefined,
      shards: hasShards ? await readShards(db) : [],
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
      await takeTurn(transaction)
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

/**
 * Records in a marked database that there is telemetry in a database of ClickHouse. `mark` gives that an id, if it has
 * none, and returns the one that it has: servers that start at the same time take turns.
 */
export async function recordShard(
  url: string,
  address: string,
  mark: () => Promise<string>,
  log: Log,
): Promise<string> {
  return await connected(url, log, (db) =>
    db.transaction().execute(async (transaction) => {
      await takeTurn(transaction)
      await sql`
        create table if not exists telemetry_shards (id text not null primary key, address text not null)
      `.execute(transaction)
      const id = await mark()
      const recorded = await readShards(transaction)
      // The traces of projects that are older than the first shard, for example because they were moved, are in it.
      if (recorded.length === 0) {
        await sql`
          insert into project_shards (project_id, shard_id) select id, ${id} from projects
          on conflict do nothing
        `.execute(transaction)
      }
      await sql`
        insert into telemetry_shards (id, address) values (${id}, ${address})
        on conflict (id) do update set address = excluded.address
      `.execute(transaction)
      await sql`update installation_identity set telemetry = 'ClickHouse'`.execute(transaction)
      return id
    }),
  )
}

/** Gives up shards with all that their projects have stored in them; these get another shard when they are used. */
export async function removeShards(url: string, ids: readonly string[], log: Log): Promise<void> {
  await connected(url, log, (db) =>
    db.transaction().execute(async (transaction) => {
      await takeTurn(transaction)
      // Traces that were moved here are recorded as those of a shard at the next start.
      if (ids.length > 0) {
        await sql`delete from project_shards where shard_id = any(${ids})`.execute(transaction)
        await sql`delete from telemetry_shards where id = any(${ids})`.execute(transaction)
        if ((await readShards(transaction)).length > 0) return
      }
      await sql`update installation_identity set telemetry = null`.execute(transaction)
    }),
  )
}

async function takeTurn(transaction: Kysely<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('assay installation identity'))`.execute(
    transaction,
  )
}

async function readShards(db: Kysely<unknown>): Promise<readonly RecordedShard[]> {
  const { rows } = await sql<RecordedShard>`
    select id, address from telemetry_shards order by address, id
  `.execute(db)
  return rows
}

interface Identity {
  readonly id: string
  readonly telemetry: TelemetryPart | null
}

async function readIdentity(db: Kysely<unknown>): Promise<Identity | undefined> {
  const { rows } = await sql<Identity>`select id, telemetry from installation_identity`.execute(db)
  return rows[0]
}

/** Over a connection of its own, which is closed again. */
export async function connected<T>(
  url: string,
  log: Log,
  work: (db: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  // The driver is imported on demand: most installations use SQLite.
  const { explainMissingRight, postgresDialect } = await import('./postgres-dialect.ts')
  const options = { maxConnections: 1, statementTimeoutMs: 10_000, log }
  const db = new Kysely<unknown>({ dialect: postgresDialect(url, options) })
  try {
    return await work(db)
  } catch (error) {
    throw explainMissingRight(error)
  } finally {
    await db.destroy()
  }
}
