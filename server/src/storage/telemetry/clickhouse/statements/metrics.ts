import { pointColumns, seriesColumns } from '../signal-columns.ts'

/*
 * Statements on metrics. A series has several rows until they are merged, which differ in when it was last seen.
 */

/** The next names with kind and unit, each with a description, its series and when it was last seen. */
export const nextMetrics = `
  SELECT name, kind, unit, max(description), least(uniqExact(series_id), {counted:UInt64}),
    max(last_seen_at)
  FROM metric_series
  WHERE project_id = {project:String}
    AND (name, kind, unit) > ({afterName:String}, {afterKind:String}, {afterUnit:String})
  GROUP BY name, kind, unit
  ORDER BY name, kind, unit
  LIMIT {limit:UInt64}`

export const hasMetric = `
  SELECT 1 FROM metric_series
  WHERE project_id = {project:String} AND name = {name:String}
  LIMIT 1`

/** Numbers and booleans are compared in their JSON form. */
const hasAttributes = `
  arrayAll(
    (key, value) -> if(
      JSONType(attributes, key) = 'String',
      JSONExtractString(attributes, key),
      JSONExtractRaw(attributes, key)
    ) = value AND JSONHas(attributes, key),
    {keys:Array(String)}, {values:Array(String)}
  )`

/** The series of a name with points in the range. */
export const seriesOfName = `
  SELECT ${seriesColumns.names}
  FROM metric_series FINAL
  WHERE project_id = {project:String}
    AND name = {name:String}
    AND ({service:Nullable(String)} IS NULL OR service = {service:Nullable(String)})
    AND ${hasAttributes}
    AND series_id IN (
      SELECT series_id FROM metric_points
      WHERE project_id = {project:String}
        AND series_id IN (
          SELECT series_id FROM metric_series
          WHERE project_id = {project:String} AND name = {name:String}
        )
        AND at >= {from:Int64} AND at < {to:Int64}
    )
  ORDER BY coalesce(service, ''), attributes, series_id
  LIMIT {limit:UInt64}`

const ofSeries = 'project_id = {project:String} AND series_id IN {series:Array(String)}'

/** The last point of each series before the range. */
export const pointsBefore = `
  SELECT ${pointColumns.names} FROM metric_points
  WHERE ${ofSeries} AND at < {from:Int64}
  ORDER BY series_id, at DESC, version DESC
  LIMIT 1 BY series_id`

export const pointsBetween = `
  SELECT ${pointColumns.names} FROM metric_points FINAL
  WHERE ${ofSeries} AND at >= {from:Int64} AND at < {to:Int64}
  ORDER BY series_id, at
  LIMIT {limit:UInt64}`
