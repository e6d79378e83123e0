import { stopCheck } from '../read-limits.ts'
import { scoreColumns } from '../score-columns.ts'
import { readTraceColumns } from '../trace-columns.ts'
import { filterClause } from './trace-scans.ts'

const projectNo = '(SELECT project_no FROM projects WHERE project_id = :projectId)'

/*
 * Writing.
 */

export const findTraceNo = `
  SELECT trace_no FROM traces WHERE project_no = ? AND trace_id = ?
`

export const findScore = `
  SELECT CAST(updated_at AS TEXT) FROM scores WHERE trace_no = ? AND score_id = ?
`

export const countScoresOfPerson = `
  SELECT count(*) FROM scores WHERE trace_no = ? AND source = 'person' AND author_id = ?
`

/** Values: the trace's number, the project's number, then a ScoreRow. */
export const putScore = `
  INSERT OR REPLACE INTO scores (trace_no, project_no, is_latest, ${scoreColumns.names})
  VALUES (?, ?, 0, ${scoreColumns.placeholders})
`

/** With an author, only a score that this person gave. */
export const deleteScore = `
  DELETE FROM scores
  WHERE trace_no = :traceNo
    AND score_id = :id
    AND (:authorId IS NULL OR (source = 'person' AND author_id = :authorId))
`

/** By name. */
export const latestScoresOfTrace = `
  SELECT name, score_id, CAST(created_at AS TEXT)
  FROM scores INDEXED BY latest_scores_by_trace
  WHERE trace_no = ?
    AND is_latest = 1
`

export const setIsLatest = `
  UPDATE scores SET is_latest = :isLatest WHERE trace_no = :traceNo AND score_id = :id
`

/** Marks the newest scored score of each name of a trace, leaving out those of its spans. */
export const markLatestScores = `
  WITH latest AS (
    SELECT score_id
    FROM (
      SELECT
        score_id,
        row_number() OVER (PARTITION BY name ORDER BY created_at DESC, score_id DESC) AS rank
      FROM scores
      WHERE trace_no = :traceNo
        AND status = 'scored'
        AND span_id IS NULL
    )
    WHERE rank = 1
  )
  UPDATE scores
  SET is_latest = 1 - is_latest
  WHERE trace_no = :traceNo
    AND is_latest <> (score_id IN (SELECT score_id FROM latest))
`

export const deleteScoresOfTrace = `
  DELETE FROM scores
  WHERE trace_no = :traceNo
    AND score_id IN (SELECT score_id FROM scores WHERE trace_no = :traceNo LIMIT :limit)
`

export const moveScoresOfTrace = `
  UPDATE scores SET project_no = :toNo WHERE trace_no = :traceNo
`

/*
 * Reading.
 */

const traceNo = `(
      SELECT trace_no FROM traces WHERE project_no = ${projectNo} AND trace_id = :traceId
    )`

export const scoresOfTrace = `
  SELECT ${scoreColumns.selection}
  FROM scores
  WHERE trace_no = ${traceNo}
    AND (:source IS NULL OR source = :source)
    AND (created_at, score_id) < (:beforeStart, :beforeId)
  ORDER BY created_at DESC, score_id DESC
  LIMIT :limit
`

export const runsOfTrace = `
  SELECT run_id
  FROM scores
  WHERE trace_no = ${traceNo}
    AND run_id IS NOT NULL
  GROUP BY run_id
  ORDER BY max(created_at) DESC, run_id DESC
  LIMIT :limit
`

export const scoresOfRun = `
  SELECT ${scoreColumns.selection}
  FROM scores
  WHERE trace_no = ${traceNo}
    AND run_id = :runId
  ORDER BY created_at, score_id
  LIMIT :limit
`

const latestByName = `
    FROM scores INDEXED BY latest_scores_by_name
    WHERE project_no = ${projectNo}
      AND is_latest = 1
`

export const tracesWithScore = `
  SELECT trace_no
  ${latestByName}
      AND name = :scoreName
      AND value BETWEEN :minScore AND :maxScore
  LIMIT :limit
`

export const tracesWithVerdict = `
  SELECT trace_no
  FROM scores INDEXED BY latest_scores_by_verdict
  WHERE project_no = ${projectNo}
    AND is_latest = 1
    AND name = :scoreName
    AND passed = :passed
    AND value BETWEEN :minScore AND :maxScore
  LIMIT :limit
`

export const tracesWithAnyScore = `
  SELECT DISTINCT trace_no
  FROM scores INDEXED BY scores_by_created_at
  WHERE project_no = ${projectNo}
  LIMIT :limit
`

export const scoreCounts = `
  SELECT trace_id, count(*), sum(passed)
  FROM json_each(:traceIds) AS requested
  CROSS JOIN traces ON traces.project_no = ${projectNo} AND trace_id = requested.value
  CROSS JOIN scores INDEXED BY latest_scores_by_trace
    ON scores.trace_no = traces.trace_no AND scores.is_latest = 1
  GROUP BY traces.trace_no
`

type ValueOrder = 'lowest-first' | 'highest-first'

const scoresAfter = (order: ValueOrder) => `
    ${latestByName}
      AND name = :sortName
      AND (value, trace_no) ${order === 'lowest-first' ? '>' : '<'} (:afterValue, :afterNo)`

/** The last of the next `:scanLimit` scores; none if there are fewer. */
export const scannedScoreBoundary = (order: ValueOrder) => `
  SELECT value, trace_no
    ${scoresAfter(order)}
  ORDER BY value ${order === 'lowest-first' ? '' : 'DESC'},
    trace_no ${order === 'lowest-first' ? '' : 'DESC'}
  LIMIT 1 OFFSET :scanLimit - 1
`

/** Up to the boundary. */
export const scoredTraces = (order: ValueOrder) => `
  SELECT ${readTraceColumns.selection}, scored.value, scored.passed
  FROM (
    SELECT trace_no AS scored_no, value, passed
    ${scoresAfter(order)}
      AND (value, trace_no) ${order === 'lowest-first' ? '<=' : '>='} (:endValue, :endNo)
  ) AS scored
  CROSS JOIN traces ON traces.trace_no = scored.scored_no
  WHERE ${stopCheck('traces.trace_no')}
    AND started_at >= :from
    AND (started_at, trace_id) < (:beforeStart, :beforeId)
    AND ${filterClause}
  ORDER BY scored.value ${order === 'lowest-first' ? '' : 'DESC'},
    scored.scored_no ${order === 'lowest-first' ? '' : 'DESC'}
  LIMIT :limit
`

/** The creation time of the score after `:skip` newer ones. */
export const scoreBoundary = `
  SELECT CAST(created_at AS TEXT)
  FROM scores INDEXED BY scores_by_created_at
  WHERE project_no = ${projectNo}
    AND ${stopCheck('trace_no')}
    AND created_at >= :from
    AND created_at < :to
  ORDER BY created_at DESC
  LIMIT 1 OFFSET :skip
`

export const scoreBuckets = `
  SELECT
    name, evaluator_id, source, CAST(created_at / CAST(:bucketNanos AS INTEGER) AS TEXT) AS bucket,
    count(*) FILTER (WHERE status = 'scored'),
    avg(value) FILTER (WHERE status = 'scored'),
    avg(passed) FILTER (WHERE status = 'scored'),
    count(*) FILTER (WHERE status = 'not_applicable'),
    count(*) FILTER (WHERE status = 'error')
  FROM scores INDEXED BY scores_by_created_at
  WHERE project_no = ${projectNo}
    AND ${stopCheck('trace_no')}
    AND created_at >= :from
    AND created_at < :to
  GROUP BY name, evaluator_id, source, bucket
  ORDER BY min(created_at)
`
