export const deleteSpansOfTrace = `
  DELETE FROM spans WHERE trace_no = ?
`

export const deleteTrace = `
  DELETE FROM traces WHERE trace_no = ?
`

/** Gives a trace to another project. */
export const moveTraceToProject = `
  UPDATE traces SET project_no = ? WHERE trace_no = ?
`

export const oldTraces = `
  SELECT trace_id
  FROM traces INDEXED BY traces_newest
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
