import { modelSpanColumns, pricedColumns } from '../span-columns.ts'

/*
 * Statements for pricing.
 */

/** Oldest first, from a position on. */
export const tracesToPrice = `
  SELECT trace_id, started_at FROM traces FINAL
  WHERE project_id = {project:String}
    AND (started_at, trace_id) >= ({afterAt:Int64}, {afterId:String})
    AND started_at < {to:Int64}
  ORDER BY started_at, trace_id
  LIMIT {limit:UInt64}`

/** Of some traces, in their order, the spans that the service prices; of the first one those after a span. */
export const spansToPrice = `
  SELECT ${pricedColumns.names} FROM spans FINAL
  WHERE project_id = {project:String}
    AND trace_id IN {ids:Array(String)}
    AND (trace_id, span_id) NOT IN (
      SELECT trace_id, span_id FROM spans
      WHERE project_id = {project:String} AND trace_id = {continued:String}
        AND span_id <= {afterSpan:String}
    )
    AND cost_source != 'reported'
    AND (
      model IS NOT NULL
      OR tokens_in IS NOT NULL
      OR tokens_out IS NOT NULL
      OR tokens_cache_read IS NOT NULL
      OR tokens_cache_write IS NOT NULL
    )
  ORDER BY indexOf({ids:Array(String)}, trace_id), span_id
  LIMIT {limit:UInt64}`

const listed = `
  project_id = {project:String}
    AND (trace_id, span_id, version) IN arrayZip(
      {traces:Array(String)}, {spans:Array(String)}, {versions:Array(UInt64)}
    )`

/** Those that still have the listed version. */
export const unchangedSpans = `SELECT trace_id, span_id FROM spans FINAL WHERE ${listed}`

const given = (key: string, type: string) =>
  `{${key}:Array(${type})}[indexOf(arrayZip({traces:Array(String)}, {spans:Array(String)}), (trace_id, span_id))]`

/**
 * Adds their rows with new prices. The version is the next one after theirs, and not a new one of the clock: if a span is
 * recorded again meanwhile, that recording replaces both.
 */
export const repriceSpans = `
  INSERT INTO spans
  SELECT * REPLACE (
    version + 1 AS version,
    ${given('costs', 'Nullable(Float64)')} AS computed_cost_usd,
    ${given('costs', 'Nullable(Float64)')} AS cost_usd,
    if(isNull(${given('costs', 'Nullable(Float64)')}), 'unknown', 'priced') AS cost_source,
    ${given('sources', 'Nullable(String)')} AS price_source,
    ${given('dates', 'Nullable(String)')} AS price_date,
    ${given('reasons', 'Nullable(String)')} AS unpriced_reason
  )
  FROM (SELECT * FROM spans FINAL WHERE ${listed})`

/** Those that have a later version, if only with the listed price. */
export const pricedSpans = `
  SELECT DISTINCT trace_id, span_id FROM spans
  WHERE project_id = {project:String}
    AND (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})
    AND version > ${given('versions', 'UInt64')}`

const listedOnDisk = (condition: string) => `
  SELECT trace_id, span_id FROM spans
  WHERE ${listed}
  GROUP BY trace_id, span_id
  HAVING ${condition}
  SETTINGS apply_deleted_mask = 0`

/** Those of which no row with the listed version was deleted: their trace was not moved away and back. */
export const neverDeletedSpans = listedOnDisk('min(_row_exists) = 1')

/** Those whose listed version was deleted. Once the server has merged its part, that is not found out. */
export const deletedSpans = listedOnDisk('max(_row_exists) = 0')

export const deleteSpans = `DELETE FROM spans WHERE ${listed}`

const inRange = `
  FROM traces FINAL
  WHERE project_id = {project:String} AND started_at >= {from:Int64} AND started_at < {to:Int64}`

export const tracesInRange = `SELECT count() FROM (SELECT 1 ${inRange} LIMIT {limit:UInt64})`

/** With what was found out about their calls. */
export const newestTracesInRange = `
  SELECT trace_id, repeated_calls, separate_calls ${inRange}
  ORDER BY started_at DESC, trace_id DESC
  LIMIT {limit:UInt64}`

/** All spans of some traces, one trace after the other. */
export const spansWithModels = `
  SELECT ${modelSpanColumns.names} FROM spans FINAL
  WHERE project_id = {project:String} AND trace_id IN {ids:Array(String)}
  ORDER BY trace_id`
