import { newId } from '../../../platform/ids.ts'
import { type ClickHouseSettings, formatAddress } from '../../../platform/store-settings.ts'
import type { FoundPart } from '../../data-file.ts'
import { type Connection, openConnection } from './connection.ts'
import { endOfMove } from './import/end-of-move.ts'
import { layoutOf } from './migrations/layout.ts'
import { checkVersion } from './server-version.ts'

/*
 * Which installation a database of ClickHouse belongs to, and which of its shards it is. Read before the migrations, so
 * that a wrong database is left unchanged.
 */

export interface FoundTables extends FoundPart {
  /** Undefined while no start has been completed with it. */
  readonly shardId: string | undefined
  /** A move of a data folder into it has begun, and has not ended. */
  readonly isMoving: boolean
}

/** Throws an Error for the operator when the version of the server is too old. */
export async function inspectTables(settings: ClickHouseSettings): Promise<FoundTables> {
  return await connected(settings, 'default', async (server) => {
    await checkVersion(server)
    const { database } = settings
    const rows = await server.rows(
      "SELECT name FROM system.tables WHERE database = {database:String} AND name IN ('migrations', 'installation_identity', 'shard_identity', 'moved_pieces')",
      { database },
    )
    const names = rows.map(([name]) => name)
    const readId = async (table: IdentityTable) =>
      names.includes(table) ? (await readIds(server, database, table))[0] : undefined
    return {
      isUsed: names.length > 0,
      absence: 'empty',
      installationId: await readId('installation_identity'),
      shardId: await readId('shard_identity'),
      isMoving: names.includes('moved_pieces') && !(await hasEndOfMove(server, database)),
    }
  })
}

async function hasEndOfMove(server: Connection, database: string): Promise<boolean> {
  const rows = await server.rows(
    'SELECT 1 FROM {database:Identifier}.moved_pieces WHERE piece = {endOfMove:String} LIMIT 1',
    { database, endOfMove },
  )
  return rows.length > 0
}

/** Writes the id into a database that has none. Throws when it has another. */
export async function markTables(settings: ClickHouseSettings, id: string): Promise<void> {
  const owner = await writeId(settings, 'installation_identity', id)
  if (owner === id) return
  throw new Error(
    `Another installation has just set up ${formatAddress(settings)} in ASSAY_CLICKHOUSE_URL and keeps it. Name another database.`,
  )
}

/** The id of the shard, a new one if it has none. Not at the same time as another process. */
export async function markShard(settings: ClickHouseSettings): Promise<string> {
  return await writeId(settings, 'shard_identity', newId())
}

/**
 * Creates the tables on servers that were added to the cluster after they were written, without waiting for any of them.
 * What is in them comes from the other replicas.
 */
export async function shareIdentity(
  settings: ClickHouseSettings,
  ids: Readonly<Record<IdentityTable, string>>,
): Promise<void> {
  const { database, cluster } = settings
  if (cluster === undefined) return
  await connected(settings, database, async (connection) => {
    for (const [name, id] of Object.entries(ids)) {
      await connection.queueOnCluster(createIdentity(name as IdentityTable, id, cluster))
    }
  })
}

type IdentityTable = 'installation_identity' | 'shard_identity'

/**
 * Writes the id into a table that has none; returns the one that it has then. Of several processes that do so at the same
 * time, the one that creates the table wins, with its id as the comment of the table: rows have no order of arrival.
 */
async function writeId(
  settings: ClickHouseSettings,
  name: IdentityTable,
  id: string,
): Promise<string> {
  const { database, cluster } = settings
  return await connected(settings, database, async (connection) => {
    await connection.execute(createIdentity(name, id, cluster))
    const [stored] = await readIds(connection, database, name)
    if (stored !== undefined) return stored
    const [row] = await connection.rows(
      'SELECT comment FROM system.tables WHERE database = {database:String} AND name = {name:String}',
      { database, name },
    )
    const winner = String(row?.[0] || id)
    await connection.insertRows(`${name} (id)`, [[winner]])
    return winner
  })
}

function createIdentity(name: IdentityTable, id: string, cluster: string | undefined): string {
  const { table, engine } = layoutOf(cluster)
  return `CREATE TABLE IF NOT EXISTS ${table(name)} (id String)
ENGINE = ${engine('ReplacingMergeTree')}
ORDER BY id
COMMENT '${id.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}

async function readIds(
  connection: Connection,
  database: string,
  name: IdentityTable,
): Promise<readonly string[]> {
  const rows = await connection.rows(
    'SELECT DISTINCT id FROM {database:Identifier}.{name:Identifier}',
    { database, name },
  )
  return rows.map(([id]) => String(id))
}

async function connected<Result>(
  settings: ClickHouseSettings,
  database: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const address = formatAddress(settings)
  const connection = openConnection({ ...settings, database, address })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
