/*
 * Deletes what is left of a project without traces, some rows of a table at a time. The row of the project stays, so
 * that its number is never reused.
 */

const someLogs = `
  SELECT at, log_id FROM logs WHERE project_no = :projectNo LIMIT :limit
`

const somePoints = `
  SELECT series_no, at
  FROM metric_series
  JOIN metric_points USING (series_no)
  WHERE project_no = :projectNo
  LIMIT :limit
`

const someContents = `
  SELECT trace_id, span_id, log_id FROM span_content WHERE project_no = :projectNo LIMIT :limit
`

const deleteSome = (table: string, key: string) => `
  DELETE FROM ${table}
  WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE project_no = :projectNo LIMIT :limit)
`

/** Points before series, because they are found by their series. */
export const deleteProjectBatch: readonly string[] = [
  `DELETE FROM logs WHERE project_no = :projectNo AND (at, log_id) IN (${someLogs})`,
  `DELETE FROM span_content
   WHERE project_no = :projectNo AND (trace_id, span_id, log_id) IN (${someContents})`,
  `DELETE FROM metric_points WHERE (series_no, at) IN (${somePoints})`,
  deleteSome('metric_series', 'series_no'),
  deleteSome('resource_scopes', 'resource_scope_no'),
  deleteSome('facet_values', 'facet_no'),
  deleteSome('idempotency_records', 'record_no'),
  `DELETE FROM row_counts WHERE project_no = :projectNo AND :limit > 0`,
]
