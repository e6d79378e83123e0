import { stopCheck } from '../read-limits.ts'
import { modelSpanColumns, pricedSpanColumns, spanVersion } from '../span-columns.ts'

const ofProject = `project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)`

/** Ordered by start, from a position on. */
export const tracesToPrice = `
  SELECT trace_no, trace_id, CAST(started_at AS TEXT)
  FROM traces INDEXED BY traces_by_start
  WHERE ${ofProject}
    AND (started_at, trace_id) >= (:afterStart, :afterId)
    AND started_at < :to
  ORDER BY started_at, trace_id
  LIMIT :limit
`

/** A PricedSpanRow each. */
export const spansToPrice = `
  SELECT ${pricedSpanColumns.selection}
  FROM spans
  WHERE trace_no = :traceNo
    AND span_id > :afterSpanId
    AND cost_source <> 'reported'
    AND (
      model IS NOT NULL
      OR tokens_in IS NOT NULL
      OR tokens_out IS NOT NULL
      OR tokens_cache_read IS NOT NULL
      OR tokens_cache_write IS NOT NULL
    )
  ORDER BY span_id
  LIMIT :limit
`

/** Of a span whose cost was not reported. */
export const findSpanVersion = `
  SELECT ${spanVersion}
  FROM spans
  WHERE trace_no = ?
    AND span_id = ?
    AND cost_source <> 'reported'
`

export const repriceSpan = `
  UPDATE spans
  SET cost_usd          = :costUsd,
      cost_source       = :costSource,
      computed_cost_usd = :computedCostUsd,
      price_source      = :priceSource,
      price_date        = :priceDate,
      unpriced_reason   = :unpricedReason,
      revision          = revision + 1
  WHERE trace_no = :traceNo
    AND span_id = :spanId
`

export const countTracesInRange = `
  SELECT count(*)
  FROM (
    SELECT 1
    FROM traces INDEXED BY traces_by_start
    WHERE ${ofProject}
      AND ${stopCheck('trace_no')}
      AND started_at >= :from
      AND started_at < :to
    LIMIT :limit
  )
`

export const newestTracesInRange = `
  SELECT trace_no
  FROM traces INDEXED BY traces_by_start
  WHERE ${ofProject}
    AND ${stopCheck('trace_no')}
    AND started_at >= :from
    AND started_at < :to
  ORDER BY started_at DESC, trace_id DESC
  LIMIT :limit
`

/** A ModelSpanRow each. */
export const spansWithModels = `
  SELECT ${modelSpanColumns.selection}
  FROM spans
  WHERE trace_no = :traceNo
`
