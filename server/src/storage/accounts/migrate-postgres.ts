import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Log } from '../../platform/log.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migrations.ts'

/*
 * Migrates a PostgreSQL database that other processes use meanwhile. A migration waits for those who read a table that it
 * changes, and all later statements on that table wait behind it. So it waits briefly, lets them pass, and tries again.
 */

export interface MigrationTimes {
  /** How long a migration waits for a lock, and statements of other processes behind it. Much shorter than their timeout. */
  readonly lockMs: number
  readonly pauseMs: number
}

const usualTimes: MigrationTimes = { lockMs: 300, pauseMs: 5_000 }

/**
 * Without a bound for attempts: how long `pg_dump` reads is not known here, and other processes go on. Whoever starts
 * this one ends it, such as the startup probe of a container, and a migration that has not ended leaves nothing behind.
 */
export async function migratePostgres(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  log: Log,
  changed: Partial<MigrationTimes> = {},
): Promise<void> {
  const { lockMs, pauseMs } = { ...usualTimes, ...changed }
  const takeTurn = async (transaction: Kysely<unknown>) => {
    await sql`select pg_advisory_xact_lock(hashtext('assay accounts migrations'))`.execute(
      transaction,
    )
    // Later than that lock, for which a server waits as long as the migrations of another one take.
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(transaction)
  }
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrate(db, migrations, takeTurn)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (isFirst) log.warn(waitsForLock)
    }
    await sleep(pauseMs)
  }
}

const waitsForLock =
  'a migration of the accounts database waits for a table that another session uses, such as pg_dump or an open transaction: wait until that has ended, or end it (see pg_stat_activity)'

const lockNotAvailable = '55P03'

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof DatabaseError && cause.code === lockNotAvailable
}
