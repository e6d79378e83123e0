export const findProject = `
  SELECT project_no FROM projects WHERE project_id = ?
`

export const insertProject = `
  INSERT INTO projects (project_id, trace_count) VALUES (?, 0) RETURNING project_no
`

/** Adds to the number of traces. */
export const countTraces = `
  UPDATE projects SET trace_count = trace_count + ? WHERE project_no = ?
`

export const readTraceCount = `
  SELECT trace_count FROM projects WHERE project_id = ?
`
