/*
 * Statements on the storage that a project uses.
 */

export type StoredTable = 'traces' | 'spans' | 'metric_points' | 'logs' | 'scores'

const times: Readonly<Record<StoredTable, string>> = {
  traces: 'started_at',
  spans: 'started_at',
  metric_points: 'at',
  logs: 'at',
  scores: 'created_at',
}

/** How many rows a project has, when the oldest and newest were, and their share of the bytes on disk. */
export const rowsOf = (table: StoredTable) => `
  SELECT count() AS own, min(${times[table]}), max(${times[table]}),
    own * (
      SELECT total_bytes / greatest(total_rows, 1) FROM system.tables
      WHERE database = currentDatabase() AND name = '${table}'
    )
  FROM ${table} FINAL
  WHERE project_id = {project:String}`

export const deploymentBytes = `
  SELECT sum(total_bytes) FROM system.tables WHERE database = currentDatabase()`
