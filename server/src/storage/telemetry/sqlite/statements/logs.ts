import { logSelection } from '../log-columns.ts'

export const insertLog = `
  INSERT INTO logs
    (project_no, log_id, resource_scope_no, at, observed_at, severity, severity_text, event_name, trace_id,
     span_id, body, attributes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING
`

export const insertContent = `
  INSERT INTO span_content
    (project_no, trace_id, span_id, at, observed_at, request_index, log_id, input, output)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING
`

const projectNo = '(SELECT project_no FROM projects WHERE project_id = :projectId)'

const range = `
    logs.project_no = ${projectNo}
    AND (at, log_id) < (:beforeAt, :beforeId)
    AND at >= :from
`

/** The last record to examine: the one after `:skip` of those in range. */
export const scanEnd = `
  SELECT CAST(at AS TEXT), log_id
  FROM logs
  WHERE ${range}
  ORDER BY at DESC, log_id DESC
  LIMIT 1 OFFSET :skip
`

const select = `
  SELECT ${logSelection}
  FROM logs
  JOIN resource_scopes USING (resource_scope_no)
  WHERE ${range}
    AND check_stop()
    AND (:severity IS NULL OR severity >= :severity)
    AND (:eventName IS NULL OR event_name = :eventName)
    AND (:service IS NULL OR service = :service)
    AND NOT EXISTS (
      SELECT 1
      FROM json_each(:words) AS word
      WHERE body NOT LIKE word.value ESCAPE '\\'
        AND logs.attributes NOT LIKE word.value ESCAPE '\\'
        AND coalesce(event_name, '') NOT LIKE word.value ESCAPE '\\'
    )
`

const newestFirst = `
  ORDER BY at DESC, log_id DESC
  LIMIT :limit
`

export const newestLogs = `
  ${select}
    AND (at, log_id) >= (:endAt, :endId)
  ${newestFirst}
`

export const logsOfTrace = `
  ${select}
    AND trace_id = :traceId
    AND (:spanId IS NULL OR span_id = :spanId)
  ${newestFirst}
`

export const hasContent = `
  SELECT 1 FROM span_content WHERE project_no = ${projectNo} AND trace_id = :traceId LIMIT 1
`

export const contentOfSpan = `
  SELECT input, output
  FROM span_content
  WHERE project_no = ${projectNo} AND trace_id = :traceId AND span_id = :spanId
  ORDER BY at, observed_at, request_index, log_id
`
