import type { Connection } from './connection.ts'
import { createTraceTables } from './migrations/0001-traces.ts'
import { createSignalTables } from './migrations/0002-signals.ts'
import { createScoreTable } from './migrations/0003-scores.ts'
import { createSettlingIndex } from './migrations/0004-settling-index.ts'
import { type Layout, layoutOf } from './migrations/layout.ts'

/*
 * Creates and changes the tables: numbered, forward only. Each migration is a list of statements that may be repeated, so
 * that several processes may start at once, and one that was killed is continued by the next.
 */

const migrations: readonly ((layout: Layout) => readonly string[])[] = [
  createTraceTables,
  createSignalTables,
  createScoreTable,
  createSettlingIndex,
]

/** What creates the tables, one list for each migration; the first one is before all of them. */
export function migrationStatements(cluster?: string): readonly (readonly string[])[] {
  const layout = layoutOf(cluster)
  return [createMigrations, ...migrations].map((statements) => statements(layout))
}

const createMigrations = ({ table, engine, settings }: Layout) => [
  `CREATE TABLE IF NOT EXISTS ${table('migrations')}
(
    number UInt32,
    applied_at DateTime DEFAULT now()
)
ENGINE = ${engine('ReplacingMergeTree')}
ORDER BY number
SETTINGS ${settings('index_granularity = 8192')}`,
]

/** Rejects when a newer version of the service has changed the tables. */
export async function migrate(connection: Connection, cluster?: string): Promise<void> {
  const [first = [], ...numbered] = migrationStatements(cluster)
  for (const statement of first) await connection.execute(statement)
  const [row] = await connection.rows('SELECT max(number) FROM migrations', {})
  const applied = Number(row?.[0] ?? 0)
  if (applied > numbered.length) {
    throw new Error(
      `The tables in ClickHouse are of a newer version (migration ${applied}; this one knows ${numbered.length}).`,
    )
  }
  for (const [index, statements] of numbered.entries()) {
    const number = index + 1
    // On a cluster they are repeated, for servers that have been added to it.
    if (number <= applied && cluster === undefined) continue
    for (const statement of statements) await connection.execute(statement)
    if (number > applied) await connection.insertRows('migrations (number)', [[number]])
  }
}

/** Creates the database if it does not exist. */
export async function createDatabase(
  connection: Connection,
  database: string,
  cluster?: string,
): Promise<void> {
  if (!/^\w{1,63}$/.test(database)) {
    throw new Error(`Invalid name of a ClickHouse database: ${database}`)
  }
  const { table } = layoutOf(cluster)
  await connection.execute(`CREATE DATABASE IF NOT EXISTS ${table(database)} ENGINE = Atomic`)
}
