import type { Connection } from './connection.ts'
import { createTraceTables } from './migrations/0001-traces.ts'
import { createSignalTables } from './migrations/0002-signals.ts'
import { createScoreTable } from './migrations/0003-scores.ts'
import { type Layout, layoutOf } from './migrations/layout.ts'

/*
 * Creates and changes the tables: numbered, forward only. Each migration is a list of statements that may be repeated, so
 * that several processes may start at once, and one that was killed is continued by the next.
 *
 * A CREATE has the newest layout, with all that later migrations add to its table: a server that is added to a cluster
 * creates the table as the replicas have it, or is refused.
 */

const migrations: readonly ((layout: Layout) => readonly string[])[] = [
  createTraceTables,
  createSignalTables,
  createScoreTable,
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

type MigratedConnection = Pick<Connection, 'rows' | 'execute' | 'queueOnCluster' | 'insertRows'>

/**
 * Rejects when a newer version of the service has changed the tables. What has been applied is repeated on a cluster, for
 * servers that have been added to it, but not waited for: each statement would wait half a minute for one that is down.
 */
export async function migrate(connection: MigratedConnection, cluster?: string): Promise<void> {
  const [first = [], ...numbered] = migrationStatements(cluster)
  const run = (isApplied: boolean, statement: string) =>
    isApplied && cluster !== undefined
      ? connection.queueOnCluster(statement)
      : connection.execute(statement)
  const isStarted = await exists(connection, 'TABLE migrations')
  for (const statement of first) await run(isStarted, statement)
  const [row] = await connection.rows('SELECT max(number) FROM migrations', {})
  const applied = Number(row?.[0] ?? 0)
  if (applied > numbered.length) {
    throw new Error(
      `The tables in ClickHouse are of a newer version (migration ${applied}; this one knows ${numbered.length}).`,
    )
  }
  for (const [index, statements] of numbered.entries()) {
    const number = index + 1
    const isApplied = number <= applied
    if (isApplied && cluster === undefined) continue
    for (const statement of statements) await run(isApplied, statement)
    if (!isApplied) await connection.insertRows('migrations (number)', [[number]])
  }
}

/** Creates the database if it does not exist. */
export async function createDatabase(
  connection: Pick<Connection, 'rows' | 'execute' | 'queueOnCluster'>,
  database: string,
  cluster?: string,
): Promise<void> {
  if (!/^\w{1,63}$/.test(database)) {
    throw new Error(`Invalid name of a ClickHouse database: ${database}`)
  }
  const { table } = layoutOf(cluster)
  const statement = `CREATE DATABASE IF NOT EXISTS ${table(database)} ENGINE = Atomic`
  if (cluster !== undefined && (await exists(connection, `DATABASE ${database}`))) {
    await connection.queueOnCluster(statement)
  } else await connection.execute(statement)
}

/** On this server. */
async function exists(connection: Pick<Connection, 'rows'>, what: string): Promise<boolean> {
  const [row] = await connection.rows(`EXISTS ${what}`, {})
  return Number(row?.[0]) === 1
}
