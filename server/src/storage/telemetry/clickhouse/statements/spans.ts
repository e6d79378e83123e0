import { bodyColumns, headColumns } from '../span-columns.ts'

/*
 * Statements on the spans of one trace. A span may have several rows until they are merged: the newest version counts.
 */

const ofTrace = 'project_id = {project:String} AND trace_id = {trace:String}'

const newest = 'ORDER BY span_id, version DESC LIMIT 1 BY span_id'

/** Without bodies, oldest first, after a position. */
export const pageOfSpans = `
  SELECT ${headColumns.names}
  FROM (SELECT ${headColumns.names} FROM spans WHERE ${ofTrace} ${newest})
  WHERE (started_at, span_id) > ({afterAt:Int64}, {afterId:String})
  ORDER BY started_at, span_id
  LIMIT {limit:UInt64}`

export const oneSpan = `
  SELECT ${headColumns.names} FROM spans
  WHERE ${ofTrace} AND span_id = {span:String}
  ORDER BY version DESC
  LIMIT 1`

/** Some spans in their newest versions. In two phases, so that the bodies of replaced rows are not read. */
const newestOfSpans = `
  ${ofTrace}
    AND span_id IN {spans:Array(String)}
    AND (span_id, version) IN (
      SELECT span_id, max(version) FROM spans
      WHERE ${ofTrace} AND span_id IN {spans:Array(String)}
      GROUP BY span_id
    )`

export const bodiesOfSpans = `SELECT ${bodyColumns.names} FROM spans WHERE ${newestOfSpans}`

/** Those of some spans that have an input, of their own or from log records. */
export const spansWithInput = `
  SELECT span_id FROM spans WHERE ${newestOfSpans} AND input != 'null'
  UNION DISTINCT
  SELECT span_id FROM span_contents
  WHERE ${ofTrace}
    AND span_id IN {spans:Array(String)}
    AND NOT match(coalesce(input, '[]'), '^\\\\s*\\\\[\\\\s*\\\\]\\\\s*$')`

/** How many bytes of attributes each of some traces has. */
export const attributeSizes = `
  SELECT trace_id, sum(length(attributes) + length(resource))
  FROM spans FINAL
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}
  GROUP BY trace_id`

/**
 * The attributes of the spans of some traces that may have one of the keys. A key is given in quotes, as JSON has it; one
 * with other characters may be escaped differently, so that it is searched for in every span.
 */
export const attributesOfTraces = `
  SELECT trace_id, attributes, resource
  FROM spans FINAL
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}
    AND arrayExists(
      key -> NOT match(key, '^"[\\\\w.-]+"$')
        OR position(attributes, key) > 0
        OR position(resource, key) > 0,
      {keys:Array(String)}
    )
  ORDER BY trace_id, span_id`
