import {
  indexedTraceColumns,
  readTraceColumns,
  traceColumns,
  traceStateColumns,
  unindexedTraceColumns,
} from '../trace-columns.ts'

/*
 * Writing traces.
 */

export const lastTraceNo = `
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'traces'), 0)
`

export const findTraceState = `
  SELECT ${traceStateColumns.selection}
  FROM traces
  WHERE project_no = ? AND trace_id = ?
`

export const findStoredTrace = `
  SELECT ${traceColumns.selection}
  FROM traces
  WHERE project_no = ? AND trace_id = ?
`

export const listSimulations = `
  SELECT ${traceColumns.selection}
  FROM traces
  WHERE mode = 'simulation'
`

export const insertTrace = `
  INSERT INTO traces (${traceColumns.names}) VALUES (${traceColumns.placeholders})
`

/** For a trace whose indexed columns are unchanged. */
export const updateUnindexedColumns = `
  UPDATE traces SET ${unindexedTraceColumns.assignments} WHERE trace_no = ?
`

export const updateIndexedColumns = `
  UPDATE traces SET ${indexedTraceColumns.assignments} WHERE trace_no = ?
`

/*
 * Reading traces.
 */

export const ofProject = `project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)`

export const readTrace = `
  SELECT ${readTraceColumns.selection}
  FROM traces
  WHERE ${ofProject}
    AND trace_id = :traceId
`

/** By the unique index on project and id. */
export const tracesByIdPrefix = `
  SELECT trace_no
  FROM traces
  WHERE ${ofProject}
    AND trace_id >= :idFrom
    AND trace_id < :idTo
  LIMIT :limit
`

export const readTraces = `
  SELECT ${readTraceColumns.selection}
  FROM traces
  WHERE ${ofProject}
    AND trace_id IN (SELECT value FROM json_each(:traceIds))
`

export const tracesByNumber = `
  SELECT ${readTraceColumns.selection}
  FROM traces
  WHERE ${ofProject}
    AND trace_no IN (SELECT value FROM json_each(:traceNos))
`
