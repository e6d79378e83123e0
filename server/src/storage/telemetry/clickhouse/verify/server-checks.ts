import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseSettings } from '../../../../platform/store-settings.ts'
import { checkCluster } from '../cluster.ts'
import type { Connection } from '../connection.ts'
import { checkVersion } from '../server-version.ts'
import { type Check, expectEqual } from './verification.ts'

/*
 * Checks of the server and its cluster, by its own tables.
 */

/** Before the tables of the checks exist. */
export interface FoundServer {
  readonly settings: ClickHouseSettings
  /** To the database `default`. */
  readonly server: Connection
}

export const checkServer: Check<FoundServer> = async ({ server }) =>
  `ClickHouse ${await checkVersion(server)}.`

export const checkReplicaServers: Check<FoundServer> = async ({
  server,
  settings: { cluster },
}) => {
  if (cluster === undefined) return 'No cluster is configured: a single server.'
  await checkCluster(server, cluster)
  const rows = await server.rows(
    'SELECT host_name, errors_count FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  )
  const failing = rows.filter(([, errors]) => Number(errors) > 0).map(([host]) => String(host))
  if (failing.length > 0) throw new Error(`Not reachable: ${failing.join(', ')}.`)
  const [keeper] = await server.rows("SELECT count() FROM system.zookeeper WHERE path = '/'", {})
  if (Number(keeper?.[0] ?? 0) === 0) throw new Error('Keeper does not respond.')
  return `${rows.length} servers, and Keeper responds.`
}

/** Two of them may be on one host. */
const byServer = 'GROUP BY hostName(), serverUUID()'

async function countServers(connection: Connection, cluster: string): Promise<number> {
  const text = 'SELECT count() FROM system.clusters WHERE cluster = {cluster:String}'
  const [row] = await connection.rows(text, { cluster })
  return Number(row?.[0])
}

/** A table without replicas behind an address of several servers loses rows from sight. */
export const checkTables: Check = async ({ connection, settings: { cluster, database } }) => {
  const tables = await connection.rows(
    "SELECT name, engine FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree'",
    { database },
  )
  if (cluster === undefined) return `${tables.length} tables.`
  const local = tables.filter(([, engine]) => !String(engine).startsWith('Replicated'))
  if (local.length > 0)
    throw new Error(`Not replicated: ${local.map(([name]) => name).join(', ')}.`)
  const counts = await connection.rows(
    `SELECT hostName(), count() FROM clusterAllReplicas({cluster:String}, system.tables) WHERE database = {database:String} ${byServer}`,
    { cluster, database },
  )
  // One without any is not in the result.
  expectEqual(counts.length, await countServers(connection, cluster), 'Servers with tables')
  for (const [host, count] of counts) expectEqual(count, counts[0]?.[1], `Tables of ${host}`)
  return `${tables.length} replicated tables on ${counts.length} servers.`
}

/** How long replicas may take for what was acknowledged. */
const replicasWithinMs = 30_000
const pollMs = 500

export const checkReplicas: Check = async ({ connection, settings: { cluster, database } }) => {
  if (cluster === undefined) return 'A single server has no replicas.'
  const servers = await countServers(connection, cluster)
  const deadline = performance.now() + replicasWithinMs
  for (;;) {
    const rows = await connection.rows(
      `SELECT hostName(), count() FROM clusterAllReplicas({cluster:String}, {database:Identifier}.spans) ${byServer}`,
      { cluster, database },
    )
    const isSame = new Set(rows.map(([, count]) => count)).size === 1
    // One without any rows is not in the result.
    if (isSame && rows.length === servers) return `${rows.length} servers have the same rows.`
    if (performance.now() > deadline) {
      throw new Error(
        `Replicas differ after ${replicasWithinMs / 1000} s: ${JSON.stringify(rows)} of ${servers} servers.`,
      )
    }
    await sleep(pollMs)
  }
}
