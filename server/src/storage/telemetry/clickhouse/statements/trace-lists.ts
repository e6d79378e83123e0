import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements of the list of traces. The feed has a key for each state that a trace had: what starts at another time now is
 * in the list at its other key.
 */

/** Keys of the feed after a position, not before an instant. */
const feed = `
  FROM trace_feed
  WHERE project_id = {project:String}
    AND started_at <= {afterAt:Int64}
    AND started_at >= {from:Int64}
    AND (started_at, trace_id) < ({afterAt:Int64}, {afterId:String})`

/** All columns descend, also the constant one, so that the table is read from its end. */
const newestFirst = 'ORDER BY project_id DESC, started_at DESC, trace_id DESC'

const traces = (keys: string) => `
  SELECT ${readTraceColumns.names}
  FROM traces FINAL
  WHERE project_id = {project:String}
    AND (trace_id, started_at) IN (SELECT trace_id, started_at ${keys})`

/** The traces of the next keys. */
export const nextTraces = `
  ${traces(`${feed} ${newestFirst} LIMIT {step:UInt64}`)}
  ORDER BY started_at DESC, trace_id DESC`

/** The last one of the next keys, and how many they are. */
export const lastKey = `
  SELECT min(key).1, min(key).2, count()
  FROM (SELECT (started_at, trace_id) AS key ${feed} ${newestFirst} LIMIT {step:UInt64})`

/** Also by time alone, because an index finds no rows by a tuple. */
const downToKey = `${feed}
    AND started_at >= {endAt:Int64}
    AND (started_at, trace_id) >= ({endAt:Int64}, {endId:String})`

/** Whether a row is of a trace down to a key. */
export const isDownToKey = `trace_id IN (SELECT trace_id ${downToKey})`

/** Of the traces down to a key, those that match. */
export const matchingTraces = (condition: string) => `
  ${traces(downToKey)}
    AND ${condition}
  ORDER BY started_at DESC, trace_id DESC
  LIMIT {limit:UInt64}`
