import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements of the list of settled traces.
 */

const settled = `
  FROM traces FINAL
  WHERE project_id = {project:String}
    AND settles_at <= {until:Int64}
    AND (settles_at, trace_id) > ({afterAt:Int64}, {afterId:String})`

/** The last one of the next traces, and how many they are. */
export const lastSettled = `
  SELECT max(key).1, max(key).2, count()
  FROM (
    SELECT (settles_at, trace_id) AS key ${settled}
    ORDER BY settles_at, trace_id
    LIMIT {limit:UInt64}
  )`

/** Old traces that change, for example by re-pricing, settle again in large numbers: they do not count. */
export const countSettled = `
  SELECT countIf(received_at >= {receivedSince:Int64})
  FROM (SELECT received_at ${settled} ORDER BY settles_at, trace_id LIMIT {limit:UInt64})`

/** Of the traces up to a position, those that match, each with when it settled. */
export const settledTraces = (condition: string) => `
  SELECT ${readTraceColumns.names}, settles_at ${settled}
    AND (settles_at, trace_id) <= ({endAt:Int64}, {endId:String})
    AND received_at >= {receivedSince:Int64}
    AND ${condition}
  ORDER BY settles_at, trace_id`
