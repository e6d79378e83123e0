import { stopCheck } from '../read-limits.ts'

export const findResourceScope = `
  SELECT resource_scope_no FROM resource_scopes WHERE project_no = ? AND resource_scope_id = ?
`

export const insertResourceScope = `
  INSERT INTO resource_scopes (project_no, resource_scope_id, service, resource, scope)
  VALUES (?, ?, ?, ?, ?)
  RETURNING resource_scope_no
`

export const findSeries = `
  SELECT series_no FROM metric_series WHERE project_no = ? AND series_id = ?
`

export const insertSeries = `
  INSERT INTO metric_series
    (project_no, series_id, name, kind, unit, description, temporality, is_monotonic, attributes,
     resource_scope_no)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  RETURNING series_no
`

export const insertPoint = `
  INSERT INTO metric_points (series_no, at, started_at, value, distribution, exemplars)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING
`

/** Values in the same order. */
export const updatePoint = `
  UPDATE metric_points
  SET started_at = ?3, value = ?4, distribution = ?5, exemplars = ?6
  WHERE series_no = ?1 AND at = ?2
`

const projectNo = '(SELECT project_no FROM projects WHERE project_id = :projectId)'

/** The first metric after a position. */
export const nextMetric = `
  SELECT name, kind, unit
  FROM metric_series
  WHERE project_no = ${projectNo}
    AND ${stopCheck('series_no')}
    AND (name, kind, unit) > (:name, :kind, :unit)
  ORDER BY name, kind, unit
  LIMIT 1
`

/** Of the newest `:limit` series of a metric. */
export const summaryOfMetric = `
  SELECT
    max(description),
    count(*),
    CAST(max((
      SELECT max(at) FROM metric_points WHERE metric_points.series_no = series.series_no
    )) AS TEXT)
  FROM (
    SELECT series_no, description
    FROM metric_series
    WHERE project_no = ${projectNo}
      AND ${stopCheck('series_no')}
      AND (name, kind, unit) = (:name, :kind, :unit)
    ORDER BY series_no DESC
    LIMIT :limit
  ) AS series
`

export const hasMetric = `
  SELECT 1 FROM metric_series WHERE project_no = ${projectNo} AND name = :name LIMIT 1
`

/** One of the series of `seriesOfName`. */
export const seriesByNumber = `
  SELECT
    series_no, lower(hex(series_id)), kind, unit, description, temporality, is_monotonic, attributes,
    service, resource, scope
  FROM metric_series
  JOIN resource_scopes USING (resource_scope_no)
  WHERE series_no = :seriesNo
`

/** The attributes to match are a JSON array of pairs; booleans are compared as `true` and `false`. */
export const seriesOfName = `
  SELECT series_no
  FROM metric_series
  JOIN resource_scopes USING (resource_scope_no)
  WHERE metric_series.project_no = ${projectNo}
    AND ${stopCheck('series_no')}
    AND name = :name
    AND (:service IS NULL OR service = :service)
    AND NOT EXISTS (
      SELECT 1
      FROM json_each(:attributes) AS requested
      WHERE NOT EXISTS (
        SELECT 1
        FROM json_each(metric_series.attributes) AS actual
        WHERE actual.key = requested.value ->> 0
          AND iif(actual.type IN ('true', 'false'), actual.type, CAST(actual.value AS TEXT))
            = requested.value ->> 1
      )
    )
    AND EXISTS (
      SELECT 1
      FROM metric_points
      WHERE metric_points.series_no = metric_series.series_no AND at >= :from AND at < :to
    )
  ORDER BY coalesce(service, ''), attributes, series_id
  LIMIT :limit
`

const point = 'CAST(at AS TEXT), CAST(started_at AS TEXT), value, distribution'

export const pointBefore = `
  SELECT ${point} FROM metric_points WHERE series_no = :seriesNo AND at < :from
  ORDER BY at DESC
  LIMIT 1
`

export const pointsBetween = `
  SELECT ${point} FROM metric_points WHERE series_no = :seriesNo AND at >= :from AND at < :to
  ORDER BY at
`

export const exemplarsBetween = `
  SELECT exemplars
  FROM metric_points
  WHERE series_no = :seriesNo AND at >= :from AND at < :to
    AND ${stopCheck('at')}
    AND exemplars IS NOT NULL
  ORDER BY at DESC
`
