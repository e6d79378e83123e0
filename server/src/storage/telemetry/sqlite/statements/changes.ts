import { traceColumns } from '../trace-columns.ts'

export const deleteTrace = `
  DELETE FROM traces WHERE trace_no = ?
`

export const insertRemovedTrace = `
  INSERT INTO removed_traces (trace_no, project_no, trace_id) VALUES (:traceNo, :projectNo, :traceId)
`

export const firstRemovedTrace = `
  SELECT trace_no, project_no, trace_id FROM removed_traces ORDER BY trace_no LIMIT 1
`

/** Traces of one id may have been removed one after the other. */
export const removedTraceById = `
  SELECT trace_no, project_no, trace_id
  FROM removed_traces
  WHERE project_no = :projectNo AND trace_id = :traceId
  ORDER BY trace_no
  LIMIT 1
`

export const deleteRemovedTrace = `
  DELETE FROM removed_traces WHERE trace_no = ?
`

const someSpans = (column: string) => `
  SELECT ${column} FROM spans WHERE trace_no = :traceNo ORDER BY span_id LIMIT :limit
`

/** Includes blocks with some spans beyond the limit: all spans of a block are in one trace. */
export const blocksOfRemovedSpans = `
  SELECT DISTINCT block_no FROM (${someSpans('block_no')})
`

export const deleteRemovedSpans = `
  DELETE FROM spans WHERE trace_no = :traceNo AND span_id IN (${someSpans('span_id')})
`

export const moveTraceToProject = `
  UPDATE traces
  SET project_no = :projectNo,
    facets = :facets,
    updated_at = :at,
    settles_at = CASE WHEN received_at IS NOT NULL THEN max(coalesce(settles_at, 0), :at) END
  WHERE trace_no = :traceNo
`

export const oldTraces = `
  SELECT ${traceColumns.selection}
  FROM traces INDEXED BY traces_by_start
  WHERE project_no = ?
    AND started_at < ?
  ORDER BY started_at, trace_id
  LIMIT ?
`

export const insertSearchChange = `
  INSERT INTO search_changes (trace_no) VALUES (?)
`

export const deleteSearchChanges = `
  DELETE FROM search_changes WHERE change_no <= ?
`
