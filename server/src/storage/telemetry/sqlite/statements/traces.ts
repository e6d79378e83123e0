import { facetKeyNo } from './facets.ts'

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
    tool_call_count, tokens_in, tokens_out, cost_usd, models, CAST(updated_at AS TEXT), trace_no
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

/**
 * The list, walked along one of several ways; which one is the only difference between those below. A name is
 * sought among those that the trace is filed under: its own and its spans'.
 */
const tracesAlong = (way: string, condition: string, order = 'started_at') => `
  SELECT ${columns}
  FROM ${way}
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
    AND (:minCostUsd IS NULL OR cost_usd >= :minCostUsd)
    AND (:minTokens IS NULL OR tokens_in + tokens_out >= :minTokens)
    AND (:minDuration IS NULL OR ended_at - started_at >= :minDuration)
    AND (:facets IS NULL OR NOT EXISTS (
      SELECT 1
      FROM json_each(:facets) AS wanted
      WHERE NOT EXISTS (
        SELECT 1
        FROM facet_traces
        WHERE facet_no = wanted.value
          AND facet_at = started_at
          AND facet_trace = trace_no
      )
    ))
    AND (:name IS NULL OR EXISTS (
      SELECT 1
      FROM json_each(facets) AS own
      JOIN facet_values ON facet_no = own.value
      WHERE facet_values.key = ${facetKeyNo.name}
        AND facet_values.value LIKE :name ESCAPE '\\'
    ))
  ORDER BY ${order} DESC, trace_id DESC
  LIMIT :limit
`

export const newestTraces = tracesAlong('traces INDEXED BY traces_newest', 'TRUE')
export const tracesInError = tracesAlong('traces INDEXED BY traces_in_error', `status = 'ERROR'`)
export const tracesOfSession = tracesAlong(
  'traces INDEXED BY traces_of_session',
  'session_id = :sessionId',
)
export const tracesOfUser = tracesAlong('traces INDEXED BY traces_of_user', 'user_id = :userId')

/** For one facet that many traces have. */
export const tracesOfFacet = tracesAlong(
  'facet_traces AS way CROSS JOIN traces ON traces.trace_no = way.facet_trace',
  `way.facet_no = :alongFacet
    AND way.facet_at <= :beforeStart
    AND way.facet_at >= :from`,
  'way.facet_at',
)

/** For facets that lead to few traces: these are fetched, and sorted. */
export const tracesOfFewFacets = tracesAlong(
  'traces',
  `trace_no IN (
      SELECT facet_trace
      FROM json_each(:alongFacets) AS along
      JOIN facet_traces ON facet_no = along.value
      WHERE facet_at <= :beforeStart
        AND facet_at >= :from
    )`,
  '+started_at',
)

/** For traces that a search has found, where they are few. */
export const tracesByNumber = tracesAlong(
  'traces',
  'trace_no IN (SELECT value FROM json_each(:traceNos))',
  '+started_at',
)
