import { countedSpanColumns, rollupSpanColumns, spanColumns } from '../span-columns.ts'

const { names, placeholders, selection } = spanColumns

/** Values: the trace's number, then a SpanRow. */
export const putSpan = `
  INSERT OR REPLACE INTO spans (trace_no, ${names}) VALUES (?, ${placeholders})
`

export const setRepeatsSpanId = `
  UPDATE spans
  SET repeats_span_id = :repeatsSpanId
  WHERE trace_no = :traceNo
    AND span_id = :spanId
`

export const setSeparateCall = `
  UPDATE spans
  SET is_separate_call = :isSeparateCall
  WHERE trace_no = :traceNo
    AND span_id = :spanId
`

/** A RollupSpanRow each. */
export const rollupSpansOfTrace = `
  SELECT ${rollupSpanColumns.selection}
  FROM spans
  WHERE trace_no = :traceNo
    AND check_stop()
`

/** After a span id. */
export const countedSpansOfTrace = `
  SELECT ${countedSpanColumns.selection}
  FROM spans
  WHERE trace_no = ?
    AND span_id > ?
  ORDER BY span_id
  LIMIT ?
`

const traceNo = `(
          SELECT trace_no
          FROM traces
          WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
            AND trace_id = :traceId
        )`

export const pageOfSpans = `
  SELECT ${selection}
  FROM spans
  WHERE trace_no = ${traceNo}
    AND (started_at, span_id) > (:afterStart, :afterId)
  ORDER BY started_at, span_id
  LIMIT :limit
`

export const oneSpan = `
  SELECT ${selection}
  FROM spans
  WHERE trace_no = ${traceNo}
    AND span_id = :spanId
`

/** Block by block. */
export const bodiesOfTrace = `
  SELECT block_no, body_offset, body_bytes
  FROM spans
  WHERE trace_no = :traceNo
  ORDER BY block_no, body_offset
`
