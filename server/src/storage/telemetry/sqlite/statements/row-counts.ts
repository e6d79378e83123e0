/**
 * The number of a signal in `row_counts`. Never renumbered. Traces are counted in `projects`, and here those of mode
 * `simulation`.
 */
export const signalNo = { spans: 1, points: 2, logs: 3, scores: 4, simulations: 5 } as const

/** Adds to a count. */
export const addToRowCount = `
  INSERT INTO row_counts (project_no, signal, count) VALUES (:projectNo, :signal, :more)
  ON CONFLICT (project_no, signal) DO UPDATE SET count = count + excluded.count
`

const projectNo = '(SELECT project_no FROM projects WHERE project_id = :projectId)'

export const readRowCounts = `
  SELECT
    trace_count,
    coalesce((SELECT count FROM row_counts WHERE project_no = own.project_no AND signal = ${signalNo.spans}), 0),
    coalesce((SELECT count FROM row_counts WHERE project_no = own.project_no AND signal = ${signalNo.points}), 0),
    coalesce((SELECT count FROM row_counts WHERE project_no = own.project_no AND signal = ${signalNo.logs}), 0),
    coalesce((SELECT count FROM row_counts WHERE project_no = own.project_no AND signal = ${signalNo.scores}), 0)
  FROM projects AS own
  WHERE project_id = :projectId
`

/*
 * The oldest and the newest of each. Two subqueries, because for min() and max() together SQLite scans the
 * whole index.
 */

const ends = (column: string, table: string) => `
  SELECT
    CAST((SELECT ${column} FROM ${table} WHERE project_no = ${projectNo} ORDER BY ${column} LIMIT 1) AS TEXT),
    CAST((SELECT ${column} FROM ${table} WHERE project_no = ${projectNo} ORDER BY ${column} DESC LIMIT 1) AS TEXT)
`

export const endsOfTraces = ends('started_at', 'traces')
export const endsOfLogs = ends('at', 'logs')
export const endsOfScores = ends('created_at', 'scores')

export const endsOfPoints = `
  SELECT
    CAST(min((SELECT min(at) FROM metric_points AS own WHERE own.series_no = series.series_no)) AS TEXT),
    CAST(max((SELECT max(at) FROM metric_points AS own WHERE own.series_no = series.series_no)) AS TEXT)
  FROM metric_series AS series
  WHERE project_no = ${projectNo}
`

/*
 * Samples: the bytes of the columns, plus an estimate for the row and its indexes.
 */

const byteLengths = (...columns: readonly string[]) =>
  columns.map((column) => `coalesce(length(CAST(${column} AS BLOB)), 0)`).join(' + ')

/** Ids and short texts count twice, because indexes repeat them. */
export const sampleOfTraces = `
  SELECT trace_no, span_count,
    400 + 2 * (${byteLengths('trace_id', 'session_id', 'user_id', 'environment', 'service')})
      + ${byteLengths('root_name', 'tags', 'models', 'labels')} + 5 * length(facets)
  FROM traces INDEXED BY traces_by_start
  WHERE project_no = ${projectNo}
    AND started_at >= :at
  ORDER BY started_at
  LIMIT :limit
`

export const sizeOfSpans = `
  SELECT count(*), coalesce(sum(160 + ${byteLengths('span_id', 'parent_span_id', 'name', 'status_message', 'model', 'price_source')}), 0)
    + coalesce((
        SELECT sum(16 + length(data))
        FROM blocks
        WHERE block_no IN (SELECT block_no FROM spans WHERE trace_no = :traceNo LIMIT :limit)
      ), 0)
  FROM (SELECT * FROM spans WHERE trace_no = :traceNo LIMIT :limit)
`

export const sampleOfLogs = `
  SELECT 100 + ${byteLengths('body', 'attributes', 'event_name')} + 2 * (${byteLengths('trace_id')})
  FROM logs
  WHERE project_no = ${projectNo}
    AND at >= :at
  ORDER BY at
  LIMIT :limit
`

export const sampleOfScores = `
  SELECT 200 + ${byteLengths('reasoning', 'details', 'span_id', 'run_id')}
    + 3 * (${byteLengths('name', 'evaluator_id', 'score_id')})
  FROM scores INDEXED BY scores_by_created_at
  WHERE project_no = ${projectNo}
    AND created_at >= :at
  ORDER BY created_at
  LIMIT :limit
`

export const sampleOfPoints = `
  SELECT 32 + ${byteLengths('distribution', 'exemplars')}
  FROM metric_points
  JOIN (
    SELECT series_no AS sampled FROM metric_series WHERE project_no = ${projectNo} LIMIT 100
  ) ON series_no = sampled
  LIMIT :limit
`
