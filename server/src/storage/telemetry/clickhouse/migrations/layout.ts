/*
 * Where tables are: on one server, or on every server of a cluster with replicas. The statements differ in nothing else.
 */

export interface Layout {
  /** In a statement that creates or changes it. */
  table(name: string): string
  view(name: string): string
  /** Of a table, from the one without replicas. */
  engine(name: string): string
}

export function layoutOf(cluster: string | undefined): Layout {
  if (cluster === undefined) return { table: asIs, view: asIs, engine: asIs }
  const onCluster = (name: string) => `${name} ON CLUSTER '${cluster}'`
  return { table: onCluster, view: onCluster, engine: (name) => `Replicated${name}` }
}

function asIs(name: string): string {
  return name
}
