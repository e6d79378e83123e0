/*
 * Writing traces.
 */

export const lastTraceNo = `
  SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'traces'), 0)
`

export const findTraceState = `
  SELECT trace_no, labels, facets, CAST(started_at AS TEXT)
  FROM traces
  WHERE project_no = ? AND trace_id = ?
`

export const insertTrace = `
  INSERT INTO traces (
    trace_no, project_no, trace_id, root_name, status, mode, environment, tags, source, session_id,
    user_id, service, sdk, started_at, ended_at, span_count, error_count, llm_call_count,
    tool_call_count, tokens_in, tokens_out, cost_usd, models, updated_at, labels, facets
  ) VALUES (
    :traceNo, :projectNo, :traceId, :rootName, :status, :mode, :environment, :tags, :source,
    :sessionId, :userId, :service, :sdk, :startedAt, :endedAt, :spanCount, :errorCount,
    :llmCallCount, :toolCallCount, :tokensIn, :tokensOut, :costUsd, :models, :updatedAt, :labels,
    :facets
  )
`

/** For a trace none of whose indexed columns has changed: SQLite writes every index that a column set here is in. */
export const updateTrace = `
  UPDATE traces
  SET root_name       = :rootName,
      tags            = :tags,
      sdk             = :sdk,
      ended_at        = :endedAt,
      span_count      = :spanCount,
      error_count     = :errorCount,
      llm_call_count  = :llmCallCount,
      tool_call_count = :toolCallCount,
      tokens_in       = :tokensIn,
      tokens_out      = :tokensOut,
      cost_usd        = :costUsd,
      models          = :models,
      updated_at      = :updatedAt,
      labels          = :labels,
      facets          = :facets
  WHERE trace_no = :traceNo
`

export const updateIndexedColumns = `
  UPDATE traces
  SET started_at  = :startedAt,
      status      = :status,
      mode        = :mode,
      source      = :source,
      environment = :environment,
      service     = :service,
      session_id  = :sessionId,
      user_id     = :userId
  WHERE trace_no = :traceNo
`

/*
 * Reading traces.
 */

/** The columns of TraceRow in their order. */
export const columns = `
    trace_id, root_name, status, mode, environment, tags, source, session_id, user_id, service, sdk,
    CAST(started_at AS TEXT), CAST(ended_at AS TEXT), span_count, error_count, llm_call_count,
    tool_call_count, tokens_in, tokens_out, cost_usd, models, CAST(updated_at AS TEXT), trace_no
`

export const ofProject = `project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)`

export const readTrace = `
  SELECT ${columns}
  FROM traces
  WHERE ${ofProject}
    AND trace_id = :traceId
`

export const readTraces = `
  SELECT ${columns}
  FROM traces
  WHERE ${ofProject}
    AND trace_id IN (SELECT value FROM json_each(:traceIds))
`
