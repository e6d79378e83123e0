import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

/*
 * A project with so many metrics that listing them ends only when it is stopped, for tests.
 */

export interface EndlessMetrics {
  /** Whether a thread is reading the file, so that a checkpoint cannot complete. */
  isRead(): boolean
}

/**
 * `dataDir` is that of an open store; the project must have stored something. Looking for a metric by its name would not
 * end when it is stopped.
 */
export function addEndlessMetrics(dataDir: string, projectId: string): EndlessMetrics {
  const db = new DatabaseSync(join(dataDir, 'telemetry.sqlite'), { timeout: 5000 })
  onTestFinished(() => db.close())
  // An empty name is on no page, so the rows take no memory.
  db.exec(`
    BEGIN IMMEDIATE;
    ALTER TABLE metric_series RENAME TO stored_series;
    CREATE VIEW metric_series AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
      SELECT
        n AS series_no,
        (SELECT project_no FROM projects WHERE project_id = '${projectId}') AS project_no,
        x'' AS series_id, iif(has_part('', n), '', '') AS name, '' AS kind, '' AS unit, '' AS description,
        '' AS temporality, 0 AS is_monotonic, '[]' AS attributes, 0 AS resource_scope_no
      FROM numbers;
    CREATE TABLE writes (count);
    INSERT INTO writes VALUES (0);
    COMMIT;
  `)
  db.exec('PRAGMA busy_timeout = 0')
  return {
    isRead() {
      // A checkpoint of nothing always completes.
      db.exec('UPDATE writes SET count = count + 1')
      return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 1
    },
  }
}
