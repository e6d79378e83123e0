/** Values in the order of the columns: the number of the trace, then SpanCells, then the source. */
export const putSpan = `
  INSERT OR REPLACE INTO spans (
    trace_no, span_id, parent_span_id, name, kind, status, status_message, started_at, ended_at,
    latency_ms, model, tokens_in, tokens_out, tokens_cache_read, tokens_cache_write,
    tokens_reasoning, cost_usd, cost_source, session_id, user_id, environment, service, sdk,
    block_no, body_offset, body_bytes, provider, service_tier, tokens_cache_write_1h,
    computed_cost_usd, price_source, price_date, unpriced_reason, tags, source
  ) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  )
`

/** The columns of SpanCells in their order. */
const columns = `
    span_id, parent_span_id, name, kind, status, status_message,
    CAST(started_at AS TEXT), CAST(ended_at AS TEXT),
    latency_ms, model, tokens_in, tokens_out, tokens_cache_read, tokens_cache_write,
    tokens_reasoning, cost_usd, cost_source, session_id, user_id, environment, service, sdk,
    block_no, body_offset, body_bytes, provider, service_tier, tokens_cache_write_1h,
    computed_cost_usd, price_source, price_date, unpriced_reason, tags
`

export const spansOfTrace = `
  SELECT ${columns}, source
  FROM spans
  WHERE trace_no = ?
`

const traceNo = `(
          SELECT trace_no
          FROM traces
          WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
            AND trace_id = :traceId
        )`

export const pageOfSpans = `
  SELECT ${columns}
  FROM spans
  WHERE trace_no = ${traceNo}
    AND (started_at, span_id) > (:afterStart, :afterId)
  ORDER BY started_at, span_id
  LIMIT :limit
`

export const oneSpan = `
  SELECT ${columns}
  FROM spans
  WHERE trace_no = ${traceNo}
    AND span_id = :spanId
`
