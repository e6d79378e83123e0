import { stopCheck } from '../read-limits.ts'
import { readTraceColumns } from '../trace-columns.ts'
import { filterClause } from './trace-scans.ts'
import { ofProject } from './traces.ts'

/*
 * Traces in the order in which they settle.
 */

const settledAfter = `
  FROM traces INDEXED BY traces_by_settling
  WHERE ${ofProject}
    AND ${stopCheck('traces.trace_no')}
    AND settles_at IS NOT NULL
    AND settles_at <= :until
    AND (settles_at, trace_no) > (:afterAt, :afterNo)
`

/** All that a page examines. */
export const examinedTraces = `
  SELECT CAST(settles_at AS TEXT), trace_no
  ${settledAfter}
  ORDER BY settles_at, trace_no
  LIMIT :scanLimit
`

/** Old traces that change, for example by re-pricing, settle again in large numbers: they do not count. */
export const countSettled = `
  SELECT count(*) FILTER (WHERE received_at >= :receivedSince)
  FROM (SELECT received_at ${settledAfter} ORDER BY settles_at, trace_no LIMIT :countLimit)
`

/** Up to the boundary. */
export const settledTraces = `
  SELECT ${readTraceColumns.selection}, CAST(settles_at AS TEXT)
  ${settledAfter}
    AND (settles_at, trace_no) <= (:endAt, :endNo)
    AND received_at >= :receivedSince
    AND started_at >= :from
    AND (started_at, trace_id) < (:beforeStart, :beforeId)
    AND ${filterClause}
  ORDER BY settles_at, trace_no
`
