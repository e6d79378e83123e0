import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements of the list of settled traces. They read what settles after a position, by the index of that time, and not
 * all traces of the project. That may be an earlier state of a trace, until a merge drops it.
 */

const afterPosition = '(settles_at, trace_id) > ({afterAt:Int64}, {afterId:String})'

/** The next traces, each in the newest of its states that settle after the position. */
const nextTraces = `
  SELECT argMax(traces.settles_at, (version, traces.settles_at)) AS settles_at, trace_id,
    argMax(traces.received_at, (version, traces.settles_at)) AS received_at
  FROM traces
  WHERE project_id = {project:String}
    AND traces.settles_at >= {afterAt:Int64}
  GROUP BY trace_id
  HAVING settles_at <= {until:Int64}
    AND ${afterPosition}
  ORDER BY settles_at, trace_id
  LIMIT {limit:UInt64}`

/** The last one of the next traces, and how many they are. */
export const lastSettled = `
  SELECT max(key).1, max(key).2, count()
  FROM (SELECT (settles_at, trace_id) AS key FROM (${nextTraces}))`

/** Old traces that change, for example by re-pricing, settle again in large numbers: they do not count. */
export const countSettled = `
  SELECT countIf(received_at >= {receivedSince:Int64})
  FROM (${nextTraces})`

/** Of the traces up to a position, those that match, in their newest state, each with when it settled. */
export const settledTraces = (condition: string) => `
  SELECT ${readTraceColumns.names}, settles_at
  FROM traces FINAL
  WHERE project_id = {project:String}
    AND trace_id IN (
      SELECT trace_id FROM traces
      WHERE project_id = {project:String}
        AND settles_at >= {afterAt:Int64}
        AND settles_at <= {endAt:Int64}
    )
    AND ${afterPosition}
    AND (settles_at, trace_id) <= ({endAt:Int64}, {endId:String})
    AND received_at >= {receivedSince:Int64}
    AND ${condition}
  ORDER BY settles_at, trace_id`
