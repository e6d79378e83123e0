import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { type Counters, memoryCounters } from '../../platform/counters.ts'
import type { Log } from '../../platform/log.ts'
import { type Notifications, noOtherProcesses } from '../../platform/notifications.ts'
import { formatPostgresAddress } from '../../platform/store-settings.ts'
import { type Damage, openDamage } from '../damage.ts'
import { checkPages } from '../data-file.ts'
import { toFileError } from '../file-errors.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { counterTable, sharedCounters } from './shared-counters.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { type AccountStores, accountStores } from './stores.ts'
import type { Tables } from './tables.ts'

/** The accounts database: users, organizations, projects, keys and sessions, on either engine. */
export interface Accounts extends AccountStores {
  /**
   * Runs `work` in a transaction, which is rolled back when it throws. `work` must use only the stores that
   * it is passed, and await nothing else: on SQLite everyone else waits for it.
   */
  transaction<T>(work: (stores: AccountStores) => Promise<T>): Promise<T>
  /** Whether other processes can use the database. */
  readonly isShared: boolean
  /** Between the processes that use the database. */
  readonly notifications: Notifications
  /** Counters of rate limits: of all processes on a PostgreSQL database; in memory with SQLite, which one process uses. */
  openCounters(clock: Pick<Clock, 'monotonicMs'>): Counters
  /** The file, when it was found damaged since the start: every operation then rejects with `Unavailable`. */
  damagedFile(): string | undefined
  /** Resolves when the database responds. */
  probe(): Promise<void>
  close(): Promise<void>
}

export interface AccountsLocation {
  /** An existing folder. Without a `databaseUrl` the database is the file `accounts.sqlite` in it. */
  readonly dataDir: string
  /** PostgreSQL; the folder is then not used. */
  readonly databaseUrl?: string | undefined
}

/** Opens the database and migrates it; throws when a newer version has used it. */
export async function openAccounts(location: AccountsLocation, log: Log): Promise<Accounts> {
  const { dataDir, databaseUrl } = location
  const file = join(dataDir, 'accounts.sqlite')
  const damage = openDamage('accounts', file, log)
  const { db, notifications } =
    databaseUrl === undefined
      ? { db: await openSqlite(file, damage), notifications: noOtherProcesses }
      : await openPostgres(databaseUrl, log)
  return {
    ...accountStores(db),
    isShared: databaseUrl !== undefined,
    notifications,
    transaction: (work) =>
      db.transaction().execute((transaction) => work(accountStores(transaction))),
    openCounters: (clock) =>
      databaseUrl === undefined ? memoryCounters(clock) : sharedCounters(counterTable(db), clock),
    damagedFile: damage.file,
    async probe() {
      await sql`select 1`.execute(db)
    },
    async close() {
      await notifications.close()
      await db.destroy()
    },
  }
}

async function openSqlite(file: string, damage: Damage): Promise<Kysely<Tables>> {
  try {
    if (existsSync(file)) checkPages(file)
    // The file has password hashes: only its owner can read it. SQLite gives its side files the same mode.
    closeSync(openSync(file, 'a', 0o600))
    const db = new Kysely<Tables>({ dialect: sqliteDialect(file, damage) })
    // Only one process uses a data folder, so no lock is needed.
    const migrated = migrate(db as Kysely<unknown>, migrations, () => Promise.resolve())
    await migrated.catch(async (error: unknown) => {
      await db.destroy()
      throw error
    })
    return db
  } catch (error) {
    throw toFileError(file, error)
  }
}

/** With the wait for a connection, a frozen server must be noticed within the ten seconds that exporters wait. */
const poolSettings = { maxConnections: 10, statementTimeoutMs: 5_000 } as const

async function openPostgres(url: string, log: Log) {
  // The driver is imported on demand: most installations use SQLite.
  const { explainMissingRight, postgresDialect } = await import('./postgres-dialect.ts')
  const { migratePostgres } = await import('./migrate-postgres.ts')
  const { openPostgresNotifications } = await import('./postgres-notifications.ts')
  const { openReachability } = await import('./postgres-reachability.ts')
  // A migration may take longer than a request should, and so may waiting for that of another server.
  const patient = new Kysely<unknown>({
    dialect: postgresDialect(url, { maxConnections: 1, statementTimeoutMs: 0, log }),
  })
  try {
    await migratePostgres(patient, migrations, log)
  } catch (error) {
    throw explainMissingRight(error)
  } finally {
    await patient.destroy()
  }
  const reachability = openReachability(formatPostgresAddress(url), log)
  const options = { ...poolSettings, log, reachability }
  const db = new Kysely<Tables>({ dialect: postgresDialect(url, options) })
  return { db, notifications: openPostgresNotifications({ url, pool: db, log }) }
}
