import { ofTraces } from './traces.ts'

/*
 * Statements that find traces whose rows do not follow from their spans, or that are missing in the list.
 */

/**
 * Until when everything that was stored has been checked, the time of the server, both in seconds, and whether there are
 * times that are ahead of it: the clock of a server was.
 */
export const checkedUntil = `
  WITH now() + {secondsAhead:UInt32} AS latest
  SELECT toUnixTimestamp(maxIf(checked_until, checked_until <= latest)), toUnixTimestamp(now()),
    countIf(checked_until > latest) > 0
  FROM repairs`

/** A merge would drop those before them. */
export const deleteTimesAhead = `
  DELETE FROM repairs WHERE checked_until > fromUnixTimestamp({latest:Int64})`

/** How many seconds a replica is behind: rows of traces and their spans do not reach it together. */
export const replicaDelay = `
  SELECT max(absolute_delay) FROM system.replicas WHERE database = currentDatabase()`

const storedIn = (table: string, condition: string) => `
    SELECT project_id, trace_id FROM ${table}
    WHERE stored_at >= fromUnixTimestamp({since:Int64})
      AND stored_at <= fromUnixTimestamp({until:Int64})
      AND (project_id, trace_id) > ({afterProject:String}, {afterTrace:String})
      ${condition}`

/** The traces of which anything was stored between two times. */
const stored = (condition = '') => `
  SELECT project_id, trace_id FROM (
    ${['spans', 'trace_labels', 'traces'].map((table) => storedIn(table, condition)).join('\n    UNION ALL')}
  )
  GROUP BY project_id, trace_id`

/** The last one of the next such traces, and how many they are. */
export const lastStored = `
  SELECT max(key).1, max(key).2, count()
  FROM (
    SELECT (project_id, trace_id) AS key FROM (${stored()})
    ORDER BY key
    LIMIT {limit:UInt64}
  )`

/** The version that a row computed from these rows has, in parts. */
const parts = (ofSome: string) => `
    SELECT project_id, trace_id, toUInt128(max(version)) AS part, max(stored_at) AS last_at, 1 AS spans
    FROM spans
    WHERE ${ofSome}
    GROUP BY project_id, trace_id, span_id
    UNION ALL
    SELECT project_id, trace_id, toUInt128(max(version)) AS part, max(stored_at) AS last_at, 0 AS spans
    FROM trace_labels
    WHERE ${ofSome}
    GROUP BY project_id, trace_id, label`

const upTo = 'AND (project_id, trace_id) <= ({endProject:String}, {endTrace:String})'
const recent = `(project_id, trace_id) IN (${stored(upTo)})`

/** Up to a trace, those whose row is missing, or has another version than its spans and labels give. */
export const suspectedTraces = `
  SELECT project_id, trace_id
  FROM (
    SELECT project_id, trace_id, sum(part) AS expected, sum(spans) AS spans, toUInt128(0) AS row
    FROM (${parts(recent)})
    GROUP BY project_id, trace_id
    UNION ALL
    SELECT project_id, trace_id, toUInt128(0) AS expected, 0 AS spans, max(version) AS row
    FROM traces
    WHERE ${recent}
    GROUP BY project_id, trace_id
  )
  GROUP BY project_id, trace_id
  HAVING max(row) != if(sum(spans) = 0, 0, max(expected))`

/** Up to a trace, those whose rows have no key in the list. */
export const tracesWithoutKey = `
  SELECT project_id, trace_id FROM traces FINAL
  WHERE ${recent}
    AND (project_id, started_at, trace_id) NOT IN (
      SELECT project_id, started_at, trace_id FROM trace_feed
      WHERE (project_id, started_at, trace_id) IN (
        SELECT project_id, started_at, trace_id FROM traces WHERE ${recent}
      )
    )`

/** The versions of the rows of some traces, each with when the last one was stored, in seconds. */
export const versionsOfTraces = `
  SELECT project_id, trace_id, toString(max(version)), toUnixTimestamp(max(stored_at)) FROM traces
  WHERE ${ofTraces}
  GROUP BY project_id, trace_id`

/** The versions that the spans and labels give, of those with spans, each with when the last one was stored. */
export const versionsOfSources = `
  SELECT project_id, trace_id, toString(sum(part)), toUnixTimestamp(max(last_at))
  FROM (${parts(ofTraces)})
  GROUP BY project_id, trace_id
  HAVING sum(spans) > 0`

/** Rows computed from spans that have been removed since. */
export const deleteOutdatedRows = `
  DELETE FROM traces
  WHERE project_id = {project:String} AND trace_id = {trace:String}
    AND version > toUInt128({above:String}) AND version <= toUInt128({upTo:String})`
