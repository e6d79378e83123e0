import type { Connection } from './connection.ts'

/*
 * A cluster: servers that are replicas of each other. Every process sends its statements to one of them, so that it reads
 * what it has written.
 */

/** Rejects when the server does not know the cluster, or when each of its servers would have only some of the traces. */
export async function checkCluster(connection: Connection, cluster: string): Promise<void> {
  const [row] = await connection.rows(shards, { cluster })
  const problem = findProblem(Number(row?.[0] ?? 0), cluster)
  if (problem !== undefined) throw new Error(problem)
}

const shards = 'SELECT uniqExact(shard_num) FROM system.clusters WHERE cluster = {cluster:String}'

export function findProblem(shardCount: number, cluster: string): string | undefined {
  if (shardCount === 0)
    return `ClickHouse has no cluster with the name ${cluster}. Check ASSAY_CLICKHOUSE_CLUSTER, and do not set it for a single server.`
  if (shardCount === 1) return undefined
  return `The cluster ${cluster} has ${shardCount} shards. Use one with a single shard, whose servers are replicas.`
}
