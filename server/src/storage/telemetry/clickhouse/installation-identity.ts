import type { ClickHouseSettings } from '../../../platform/store-settings.ts'
import type { FoundPart } from '../../data-file.ts'
import { type Connection, openConnection } from './connection.ts'
import { layoutOf } from './migrations/layout.ts'
import { checkVersion } from './server-version.ts'

/*
 * Which installation a database of ClickHouse belongs to. Read before the migrations, so that a wrong database is left
 * unchanged.
 */

/** Throws an Error for the operator when the version of the server is too old. */
export async function inspectTables(settings: ClickHouseSettings): Promise<FoundPart> {
  return await connected(settings, 'default', async (server) => {
    await checkVersion(server)
    const { database } = settings
    const names = await server.rows(
      "SELECT name FROM system.tables WHERE database = {database:String} AND name IN ('migrations', 'installation_identity')",
      { database },
    )
    const isMarked = names.some(([name]) => name === 'installation_identity')
    const [id] = isMarked ? await readIds(server, database) : []
    return { isUsed: names.length > 0, absence: 'empty', installationId: id }
  })
}

/** Writes the id into a database with tables that has none. Throws when it has another. */
export async function markTables(settings: ClickHouseSettings, id: string): Promise<void> {
  const { database, cluster } = settings
  const { table, engine } = layoutOf(cluster)
  await connected(settings, database, async (connection) => {
    await connection.execute(
      `CREATE TABLE IF NOT EXISTS ${table('installation_identity')} (id String)
ENGINE = ${engine('ReplacingMergeTree')}
ORDER BY id`,
    )
    const found = await readIds(connection, database)
    if (found.length === 0) await connection.insertRows('installation_identity (id)', [[id]])
    // Another installation may have been set up at the same time.
    const ids = await readIds(connection, database)
    if (ids.some((one) => one !== id)) {
      throw new Error('Another installation has just set up this database of ClickHouse.')
    }
  })
}

async function readIds(connection: Connection, database: string): Promise<readonly string[]> {
  const rows = await connection.rows(
    'SELECT DISTINCT id FROM {database:Identifier}.installation_identity',
    { database },
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
