import { Kysely } from 'kysely'
import type { Clock } from '../src/platform/clock.ts'
import { type Counters, memoryCounters } from '../src/platform/counters.ts'
import { postgresDialect } from '../src/storage/accounts/postgres-dialect.ts'
import { counterTable, sharedCounters } from '../src/storage/accounts/shared-counters.ts'
import type { Tables } from '../src/storage/accounts/tables.ts'
import { type Engine, openTestAccounts, silent } from './accounts-database.ts'

/*
 * Counters as the service opens them with its accounts on that engine, but at the time that a test sets.
 */

export interface TestCounters {
  /** On PostgreSQL, as another process that shares them with those opened before. */
  open(clock: Clock): Counters
  query(statement: string): Promise<readonly Record<string, unknown>[]>
  remove(): Promise<void>
}

export async function openTestCounters(engine: Engine): Promise<TestCounters> {
  const { location, query, remove } = await openTestAccounts(engine)
  if (location.databaseUrl === undefined) return { open: memoryCounters, query, remove }
  const options = { maxConnections: 10, statementTimeoutMs: 5_000, log: silent }
  const db = new Kysely<Tables>({ dialect: postgresDialect(location.databaseUrl, options) })
  const table = counterTable(db)
  return {
    open: (clock) =>
      sharedCounters(
        {
          ...table,
          read: async (keyHash) => ({
            ...(await table.read(keyHash)),
            nowMs: clock.now().getTime(),
          }),
        },
        clock,
      ),
    query,
    async remove() {
      await db.destroy()
      await remove()
    },
  }
}
