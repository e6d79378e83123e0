/*
 * Statements that count the traces of a project, in all or of one mode.
 */

const ofProject = 'project_id = {project:String}'
const ofMode = `${ofProject} AND ({mode:String} = '' OR mode = {mode:String})`

/** The traces of the first rows, by id, and the last one of them; null if the project has not more rows. */
export const firstTraces = `
  WITH (
    SELECT trace_id FROM traces
    WHERE ${ofProject}
    ORDER BY project_id, trace_id
    LIMIT 1 OFFSET {rowsMax:UInt64}
  ) AS last
  SELECT count(), last FROM traces FINAL
  WHERE ${ofMode} AND (last IS NULL OR trace_id <= last)`

/** All rows, and those up to a trace by id. */
export const traceRows = `
  SELECT
    (SELECT count() FROM traces WHERE ${ofMode}),
    (SELECT count() FROM traces WHERE ${ofMode} AND trace_id <= {last:String})`
