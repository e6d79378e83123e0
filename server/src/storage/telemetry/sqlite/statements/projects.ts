export const findProject = `
  SELECT project_no FROM projects WHERE project_id = ?
`

export const insertProject = `
  INSERT INTO projects (project_id, trace_count) VALUES (?, 0) RETURNING project_no
`

/** One trace more. */
export const countTrace = `
  UPDATE projects SET trace_count = trace_count + 1 WHERE project_no = ?
`

export const readTraceCount = `
  SELECT trace_count FROM projects WHERE project_id = ?
`
