/*
 * Removing log records, the span contents that came from them, and metric points; moving those of a trace.
 */

/** The oldest ones. */
export const deleteOldLogs = `
  DELETE FROM logs
  WHERE project_no = :projectNo
    AND (at, log_id) IN (
      SELECT at, log_id
      FROM logs
      WHERE project_no = :projectNo AND at < :before
      ORDER BY at
      LIMIT :limit
    )
  RETURNING trace_id, span_id, log_id
`

export const deleteContent = `
  DELETE FROM span_content WHERE project_no = ? AND trace_id = ? AND span_id = ? AND log_id = ?
`

export const deleteLogsOfTrace = `
  DELETE FROM logs
  WHERE project_no = :projectNo
    AND (at, log_id) IN (
      SELECT at, log_id FROM logs WHERE project_no = :projectNo AND trace_id = :traceId LIMIT :limit
    )
`

export const deleteContentOfTrace = `
  DELETE FROM span_content
  WHERE project_no = :projectNo
    AND trace_id = :traceId
    AND (span_id, log_id) IN (
      SELECT span_id, log_id
      FROM span_content
      WHERE project_no = :projectNo AND trace_id = :traceId
      LIMIT :limit
    )
`

/** Ordered by number, after one. */
export const nextSeries = `
  SELECT series_no
  FROM metric_series
  WHERE project_no = :projectNo AND series_no > :after
  ORDER BY series_no
  LIMIT :limit
`

export const deleteOldPoints = `
  DELETE FROM metric_points
  WHERE series_no = :seriesNo
    AND at IN (
      SELECT at FROM metric_points WHERE series_no = :seriesNo AND at < :before LIMIT :limit
    )
`

export const deleteEmptySeries = `
  DELETE FROM metric_series
  WHERE series_no = :seriesNo
    AND NOT EXISTS (SELECT 1 FROM metric_points WHERE metric_points.series_no = :seriesNo)
`

/*
 * Moving, some rows of a trace at a time, in the order of an index. Resources and scopes belong to a project, so the
 * target gets copies of them.
 */

const logKeys = `
  SELECT at, log_id
  FROM logs
  WHERE project_no = :fromNo AND trace_id = :traceId
  ORDER BY at, log_id
  LIMIT :limit
`

const contentKeys = `
  SELECT span_id, log_id
  FROM span_content
  WHERE project_no = :fromNo AND trace_id = :traceId
  ORDER BY span_id, log_id
  LIMIT :limit
`

export const copyResourceScopes = `
  INSERT INTO resource_scopes (project_no, resource_scope_id, service, resource, scope)
  SELECT DISTINCT :toNo, resource_scope_id, service, resource, scope
  FROM resource_scopes
  WHERE resource_scope_no IN (
    SELECT resource_scope_no FROM logs WHERE project_no = :fromNo AND (at, log_id) IN (${logKeys})
  )
  ON CONFLICT DO NOTHING
`

/** Of the next records, those that the target already has. */
export const deleteMovedLogs = `
  DELETE FROM logs
  WHERE project_no = :fromNo
    AND (at, log_id) IN (${logKeys})
    AND EXISTS (
      SELECT 1
      FROM logs AS own
      WHERE own.project_no = :toNo AND own.at = logs.at AND own.log_id = logs.log_id
    )
`

export const moveLogs = `
  UPDATE logs
  SET project_no = :toNo,
      resource_scope_no = (
        SELECT own.resource_scope_no
        FROM resource_scopes AS source
        JOIN resource_scopes AS own ON own.project_no = :toNo AND own.resource_scope_id = source.resource_scope_id
        WHERE source.resource_scope_no = logs.resource_scope_no
      )
  WHERE project_no = :fromNo AND (at, log_id) IN (${logKeys})
`

/** As `deleteMovedLogs`. */
export const deleteMovedContent = `
  DELETE FROM span_content
  WHERE project_no = :fromNo
    AND trace_id = :traceId
    AND (span_id, log_id) IN (${contentKeys})
    AND EXISTS (
      SELECT 1
      FROM span_content AS own
      WHERE own.project_no = :toNo
        AND own.trace_id = :traceId
        AND own.span_id = span_content.span_id
        AND own.log_id = span_content.log_id
    )
`

export const moveContent = `
  UPDATE span_content
  SET project_no = :toNo
  WHERE project_no = :fromNo AND trace_id = :traceId AND (span_id, log_id) IN (${contentKeys})
`
