export const findProject = `
  SELECT project_no FROM projects WHERE project_id = ?
`

export const insertProject = `
  INSERT INTO projects (project_id, trace_count) VALUES (?, 0) RETURNING project_no
`

export const addToTraceCount = `
  UPDATE projects SET trace_count = trace_count + :added WHERE project_no = :projectNo
`

export const readTraceCount = `
  SELECT trace_count FROM projects WHERE project_id = ?
`
