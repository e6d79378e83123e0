import { countedColumns } from '../span-columns.ts'
import { arrivalColumns, markedCallColumns, readTraceColumns } from '../trace-columns.ts'
import { labelColumns } from '../trace-labels.ts'

/*
 * Statements on traces and what they are computed from. `{projects}` and
 * `{traces}` are lists of the same length.
 */

export const ofTraces =
  '(project_id, trace_id) IN arrayZip({projects:Array(String)}, {traces:Array(String)})'

/** What a write needs to know of the stored ones among some traces. */
export const arrivals = `SELECT ${arrivalColumns.names} FROM traces FINAL WHERE ${ofTraces}`

/** Every span of some traces, in its newest version, without bodies. */
export const countedSpans = `
  SELECT ${countedColumns.names}
  FROM spans
  WHERE ${ofTraces}
  ORDER BY project_id, trace_id, span_id, spans.version DESC
  LIMIT 1 BY project_id, trace_id, span_id`

/** Every span of a trace that was stored after a version, in its newest one. */
export const newerSpans = `
  SELECT ${countedColumns.names}
  FROM spans
  WHERE project_id = {project:String} AND trace_id = {trace:String}
    AND spans.version > {after:UInt64}
  ORDER BY span_id, spans.version DESC
  LIMIT 1 BY span_id`

/** The sums of the versions of all spans. */
export const versionsOfSpans = `
  SELECT project_id, trace_id, toString(sum(newest))
  FROM (
    SELECT project_id, trace_id, toUInt128(max(version)) AS newest FROM spans
    WHERE ${ofTraces}
    GROUP BY project_id, trace_id, span_id
  )
  GROUP BY project_id, trace_id`

/**
 * The labels of some traces, of the tags that were added and of those that were removed the newest, each with the sum of
 * the versions of all labels of its trace.
 */
export const labelsOfTraces = `
  SELECT ${labelColumns.names}, toString(total)
  FROM (
    SELECT ${labelColumns.names},
      sum(toUInt128(version)) OVER (PARTITION BY project_id, trace_id) AS total
    FROM trace_labels FINAL WHERE ${ofTraces}
  )
  ORDER BY project_id, trace_id, version DESC, JSONExtractInt(value, 'order') DESC, label
  LIMIT {ofTags:UInt64} BY project_id, trace_id, startsWith(label, {tagPrefix:String}),
    JSONExtractBool(value, 'isAdded')`

/** Which of these spans are stored. */
export const storedSpanIds = `
  SELECT DISTINCT span_id FROM spans
  WHERE project_id = {project:String} AND trace_id = {trace:String} AND span_id IN {spans:Array(String)}`

const one =
  'project_id = {project:String} AND trace_id = {trace:String} ORDER BY version DESC LIMIT 1'

export const oneTrace = `SELECT ${readTraceColumns.names} FROM traces WHERE ${one}`

/** With what was found out about its calls. */
export const oneTraceWithMarks = `
  SELECT ${readTraceColumns.names}, ${markedCallColumns.names} FROM traces WHERE ${one}`

/** Some traces of a project by their ids. */
export const someTraces = `
  SELECT ${readTraceColumns.names} FROM traces FINAL
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}`

/** Which of some traces are stored. */
export const existingTraceIds = `
  SELECT DISTINCT trace_id FROM traces
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}`

/** The labels that one write gave some traces. */
export const deleteLabels = `
  DELETE FROM trace_labels
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}
    AND version = {version:UInt64}`

/** Which of some traces have spans. */
export const traceIdsWithSpans = `
  SELECT DISTINCT trace_id FROM spans
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}`
