/*
 * Writing traces.
 */

export const lastTraceNo = `
  SELECT coalesce(max(trace_no), 0) FROM traces
`

export const findTraceState = `
  SELECT trace_no, labels FROM traces WHERE project_no = ? AND trace_id = ?
`

export const insertTrace = `
  INSERT INTO traces (
    trace_no, project_no, trace_id, root_name, status, mode, environment, tags, source, session_id,
    user_id, service, sdk, started_at, ended_at, span_count, error_count, llm_call_count,
    tool_call_count, tokens_in, tokens_out, cost_usd, models, updated_at, labels
  ) VALUES (
    :traceNo, :projectNo, :traceId, :rootName, :status, :mode, :environment, :tags, :source,
    :sessionId, :userId, :service, :sdk, :startedAt, :endedAt, :spanCount, :errorCount,
    :llmCallCount, :toolCallCount, :tokensIn, :tokensOut, :costUsd, :models, :updatedAt, :labels
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
      labels          = :labels
  WHERE trace_no = :traceNo
`

export const moveTrace = `
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
const columns = `
    trace_id, root_name, status, mode, environment, tags, source, session_id, user_id, service, sdk,
    CAST(started_at AS TEXT), CAST(ended_at AS TEXT), span_count, error_count, llm_call_count,
    tool_call_count, tokens_in, tokens_out, cost_usd, models, CAST(updated_at AS TEXT)
`

const ofProject = `project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)`

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

/** The list, walked along one of the indexes; which one is the only difference between the four below. */
const tracesAlong = (index: string, condition: string) => `
  SELECT ${columns}
  FROM traces INDEXED BY ${index}
  WHERE ${ofProject}
    AND ${condition}
    AND (started_at, trace_id) < (:beforeStart, :beforeId)
    AND started_at >= :from
    AND (:status IS NULL OR status = :status)
    AND (:mode IS NULL OR mode = :mode)
    AND (:environment IS NULL OR environment = :environment)
    AND (:source IS NULL OR source = :source)
    AND (:service IS NULL OR service = :service)
    AND (:sessionId IS NULL OR session_id = :sessionId)
    AND (:userId IS NULL OR user_id = :userId)
    AND (:name IS NULL OR root_name LIKE :name ESCAPE '\\')
  ORDER BY started_at DESC, trace_id DESC
  LIMIT :limit
`

export const newestTraces = tracesAlong('traces_newest', 'TRUE')
export const tracesInError = tracesAlong('traces_in_error', `status = 'ERROR'`)
export const tracesOfSession = tracesAlong('traces_of_session', 'session_id = :sessionId')
export const tracesOfUser = tracesAlong('traces_of_user', 'user_id = :userId')
