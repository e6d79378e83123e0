/*
 * Where tables are: on one server, or on every server of a cluster, which are replicas of each other. The statements differ
 * in nothing else.
 */

export interface Layout {
  /** In a statement that creates or changes it. */
  table(name: string): string
  view(name: string): string
  /** Of a table, from the one without replicas. */
  engine(name: string): string
  /** Of a table, with those that it has everywhere. */
  settings(text: string): string
}

export function layoutOf(cluster: string | undefined): Layout {
  if (cluster === undefined) return { table: asIs, view: asIs, engine: asIs, settings: asIs }
  const onCluster = (name: string) => `${name} ON CLUSTER '${cluster}'`
  return { table: onCluster, view: onCluster, engine: toReplicated, settings: withoutDeduplication }
}

function asIs(name: string): string {
  return name
}

/**
 * With a path that follows from the name of the table, so that a server which is added to the cluster later has the same.
 * The default one has a random id that differs for each statement.
 */
function toReplicated(engine: string): string {
  const [, name = '', parameters] = /^(\w+)(?:\((.*)\))?$/.exec(engine) ?? []
  const own = ["'/clickhouse/tables/{shard}/{database}/{table}'", "'{replica}'"]
  return `Replicated${name}(${[...own, ...(parameters ? [parameters] : [])].join(', ')})`
}

/**
 * Replicas drop an INSERT that is equal to one of the last few thousand, also after its rows have been deleted. Here rows
 * with one key replace each other, so that repeating an INSERT does no harm.
 */
function withoutDeduplication(settings: string): string {
  return `${settings}, replicated_deduplication_window = 0`
}
