import { formatAddress } from '../../../platform/store-settings.ts'
import { checkCluster } from './cluster.ts'
import { type Connection, type ConnectionSettings, openConnection } from './connection.ts'
import { createDatabase, migrate } from './migrate.ts'

/**
 * Opens a database with the tables of this version, which it creates where they are missing. `prepare` runs before that,
 * when the database exists, with a connection to `default`. Leaves no connection open when it rejects.
 */
export async function openTables(
  settings: ConnectionSettings,
  prepare: (server: Connection) => Promise<void>,
): Promise<Connection> {
  const { database, cluster } = settings
  const address = formatAddress(settings)
  const server = openConnection({ ...settings, database: 'default', address })
  try {
    if (cluster !== undefined) await checkCluster(server, cluster)
    await createDatabase(server, database, cluster)
    await prepare(server)
  } finally {
    await server.close()
  }
  const connection = openConnection(settings)
  try {
    await migrate(connection, cluster)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}
