import { signalNo } from './row-counts.ts'

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

/** All traces, and those of mode `simulation`. */
export const readTraceCounts = `
  SELECT
    trace_count,
    coalesce((SELECT count FROM row_counts WHERE project_no = own.project_no AND signal = ${signalNo.simulations}), 0)
  FROM projects AS own
  WHERE project_id = ?
`
