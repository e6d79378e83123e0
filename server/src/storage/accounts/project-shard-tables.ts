/** Which database of ClickHouse has the telemetry of a project, which need not be stored in this database. */
export interface ProjectShardRow {
  readonly project_id: string
  readonly shard_id: string
}

export const projectShardSchema = [
  `create table project_shards (
     project_id  text not null primary key,
     shard_id    text not null
   )`,
]
