import { nodeBits } from '../hybrid-clock.ts'

/*
 * Statements that remove and move traces. Deletions are lightweight: rows are hidden at once and leave the disk when their
 * part is merged.
 */

/** In the order in which their rows are deleted. */
export const tablesOfTraces = [
  'logs',
  'span_contents',
  'scores',
  // Before the spans, because a trace without spans is repaired by deleting its row, by which labels are found.
  'trace_labels',
  'spans',
  'traces',
] as const
/**
 * What is deleted after the rows of the traces: scores and labels that were added until then, and the keys of the list, by
 * which retention finds traces.
 */
export const tablesOfRemains = ['scores', 'trace_labels', 'trace_feed'] as const
/** Spans after traces, so that repair finds no row to compute again meanwhile. */
export const tablesOfProjects = [
  'scores',
  'trace_labels',
  'logs',
  'span_contents',
  'traces',
  'spans',
  'trace_feed',
  'metric_series',
  'metric_points',
] as const
type Table = (typeof tablesOfProjects)[number]

const ofTraces = 'project_id = {project:String} AND trace_id IN {ids:Array(String)}'

export const deleteOfTraces = (table: Table) => `DELETE FROM ${table} WHERE ${ofTraces}`

/** Whether there is anything to delete, which is found out much faster than it is deleted. */
export const anyOfTraces = (table: Table) => `SELECT 1 FROM ${table} WHERE ${ofTraces} LIMIT 1`

const recording = `bitShiftRight(version, ${nodeBits})`

/**
 * Recordings of spans that were deleted and priced afterwards, by a statement that had read them before. Once the server
 * has merged the part with what was deleted, they are not found out.
 */
export const recordingsPricedLate = `
  SELECT trace_id, span_id, ${recording} AS recording FROM spans
  WHERE ${ofTraces}
  GROUP BY trace_id, span_id, recording
  HAVING min(_row_exists) = 0 AND max(_row_exists) = 1
  SETTINGS apply_deleted_mask = 0`

export const deleteRecordings = `
  DELETE FROM spans
  WHERE ${ofTraces}
    AND (trace_id, span_id, ${recording}) IN arrayZip(
      {traces:Array(String)}, {spans:Array(String)}, {recordings:Array(UInt64)}
    )`

/** Inserts the keys of the list of those traces that are stored. */
export const restoreKeys = `
  INSERT INTO trace_feed (project_id, started_at, trace_id, arrived_on)
  SELECT project_id, started_at, trace_id, arrived_on FROM traces FINAL WHERE ${ofTraces}`

export const deleteOfProject = (table: Table) =>
  `DELETE FROM ${table} WHERE project_id = {project:String}`

export const tablesOfSignals = ['metric_points', 'span_contents', 'logs'] as const
type SignalTable = (typeof tablesOfSignals)[number]

const signalsBefore = 'project_id = {project:String} AND at < {before:Int64}'

/** When the oldest row is from, if it is from before an instant, which is found out much faster than rows are deleted. */
export const oldestSignal = (table: SignalTable) => `
  SELECT min(at) FROM ${table} WHERE ${signalsBefore} HAVING count() > 0`

export const deleteOldSignals = (table: SignalTable) =>
  `DELETE FROM ${table} WHERE ${signalsBefore}`

/**
 * So that series stay whose points are stored between the two statements. A point from before the instant that is stored
 * then is left to the next call.
 */
const lastSeenBefore = 'last_seen_at < {before:Int64}'

export const seriesWithoutPoints = `
  SELECT DISTINCT series_id FROM metric_series
  WHERE project_id = {project:String}
    AND ${lastSeenBefore}
    AND series_id NOT IN (
      SELECT series_id FROM metric_points WHERE project_id = {project:String}
    )
  LIMIT {limit:UInt64}`

export const deleteSeries = `
  DELETE FROM metric_series
  WHERE project_id = {project:String} AND series_id IN {series:Array(String)}
    AND ${lastSeenBefore}`

/** The next keys of the list before an instant, oldest first, after a key. */
export const oldestKeys = `
  SELECT started_at, trace_id
  FROM trace_feed
  WHERE project_id = {project:String}
    AND started_at < {before:Int64}
    AND (started_at, trace_id) > ({afterAt:Int64}, {afterId:String})
  ORDER BY project_id, started_at, trace_id
  LIMIT {limit:UInt64}`

/** Of some traces, those that started before an instant. */
export const tracesBefore = `
  SELECT trace_id FROM traces FINAL WHERE ${ofTraces} AND started_at < {before:Int64}`
