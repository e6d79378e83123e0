import { contentColumns, logColumns } from '../signal-columns.ts'

/*
 * Statements on log records. Copies of a record are equal and have one key.
 */

const range = `
  project_id = {project:String}
    AND at <= {beforeAt:Int64}
    AND at >= {from:Int64}
    AND (at, log_id) < ({beforeAt:Int64}, {beforeId:String})`

const newestFirst = 'ORDER BY project_id DESC, at DESC, log_id DESC'

/** The last record to examine: the one after some others in the range. */
export const lastExamined = `
  SELECT at, log_id FROM logs
  WHERE ${range}
  ${newestFirst}
  LIMIT 1 BY at, log_id
  LIMIT 1 OFFSET {skip:UInt64}`

const hasWord = `
      positionCaseInsensitiveUTF8(body, word) > 0
        OR positionCaseInsensitiveUTF8(attributes, word) > 0
        OR positionCaseInsensitiveUTF8(coalesce(event_name, ''), word) > 0`

const matching = `
  SELECT ${logColumns.names} FROM logs
  WHERE ${range}
    AND severity >= {severity:UInt8}
    AND ({eventName:Nullable(String)} IS NULL OR event_name = {eventName:Nullable(String)})
    AND ({service:Nullable(String)} IS NULL OR service = {service:Nullable(String)})
    AND arrayAll(word -> ${hasWord}, {words:Array(String)})`

const page = `
  ${newestFirst}
  LIMIT 1 BY at, log_id
  LIMIT {limit:UInt64}`

export const logsBetween = `
  ${matching}
    AND (at, log_id) >= ({endAt:Int64}, {endId:String})
  ${page}`

export const logsOfTrace = `
  ${matching}
    AND trace_id = {traceId:String}
    AND ({spanId:Nullable(String)} IS NULL OR span_id = {spanId:Nullable(String)})
  ${page}`

/** What log records have for some spans of a trace, in order. */
export const contentsOfSpans = `
  SELECT ${contentColumns.names} FROM span_contents FINAL
  WHERE project_id = {project:String} AND trace_id = {trace:String}
    AND span_id IN {spans:Array(String)}
  ORDER BY span_id, at, observed_at, request_index, log_id`

/** Whether log records have anything for the spans of a trace. */
export const anyContents = `
  SELECT 1 FROM span_contents
  WHERE project_id = {project:String} AND trace_id = {trace:String}
  LIMIT 1`

/** How many bytes they have for each of some spans. */
export const sizesOfContents = `
  SELECT span_id, sum(length(coalesce(input, '')) + length(coalesce(output, '')))
  FROM span_contents FINAL
  WHERE project_id = {project:String} AND trace_id = {trace:String}
    AND span_id IN {spans:Array(String)}
  GROUP BY span_id`
