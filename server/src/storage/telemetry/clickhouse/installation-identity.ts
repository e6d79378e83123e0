import { newId } from '../../../platform/ids.ts'
import type { ClickHouseSettings } from '../../../platform/store-settings.ts'
import type { FoundPart } from '../../data-file.ts'
import { type Connection, openConnection } from './connection.ts'
import { layoutOf } from './migrations/layout.ts'
import { checkVersion } from './server-version.ts'

/*
 * Which installation a database of ClickHouse belongs to, and which of its shards it is. Read before the migrations, so
 * that a wrong database is left unchanged.
 */

export interface FoundTables extends FoundPart {
  /** Undefined while no start has been completed with it. */
  readonly shardId: string | undefined
}

/** Throws an Error for the operator when the version of the server is too old. */
export async function inspectTables(settings: ClickHouseSettings): Promise<FoundTables> {
  return await connected(settings, 'default', async (server) => {
    await checkVersion(server)
    const { database } = settings
    const rows = await server.rows(
      "SELECT name FROM system.tables WHERE database = {database:String} AND name IN ('migrations', 'installation_identity', 'shard_identity')",
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
    }
  })
}

/** Writes the id into a database that has none. Throws when it has another. */
export async function markTables(settings: ClickHouseSettings, id: string): Promise<void> {
  const ids = await writeId(settings, 'installation_identity', id)
  // Another installation may have been set up at the same time.
  if (ids.some((one) => one !== id)) {
    throw new Error('Another installation has just set up this database of ClickHouse.')
  }
}

/** The id of the shard, a new one if it has none. Not at the same time as another process. */
export async function markShard(settings: ClickHouseSettings): Promise<string> {
  const [id = ''] = await writeId(settings, 'shard_identity', newId())
  return id
}

type IdentityTable = 'installation_identity' | 'shard_identity'

/** Writes the id into a table that has none; returns what it has then. */
async function writeId(
  settings: ClickHouseSettings,
  name: IdentityTable,
  id: string,
): Promise<readonly string[]> {
  const { database, cluster } = settings
  const { table, engine } = layoutOf(cluster)
  return await connected(settings, database, async (connection) => {
    await connection.execute(
      `CREATE TABLE IF NOT EXISTS ${table(name)} (id String)
ENGINE = ${engine('ReplacingMergeTree')}
ORDER BY id`,
    )
    const found = await readIds(connection, database, name)
    if (found.length > 0) return found
    await connection.insertRows(`${name} (id)`, [[id]])
    return await readIds(connection, database, name)
  })
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
  { url, cluster }: ClickHouseSettings,
  database: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection({ url, database, cluster })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
