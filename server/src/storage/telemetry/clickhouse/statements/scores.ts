import { scoreColumns } from '../score-columns.ts'
import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements on scores.
 */

const ofTrace = 'project_id = {project:String} AND trace_id = {trace:String}'

export const scoresOfTrace = `
  SELECT ${scoreColumns.names} FROM scores FINAL
  WHERE ${ofTrace}
    AND ({source:Nullable(String)} IS NULL OR source = {source:Nullable(String)})
    AND (created_at, score_id) < ({beforeAt:Int64}, {beforeId:String})
  ORDER BY created_at DESC, score_id DESC
  LIMIT {limit:UInt64}`

/** Of the newest runs of a trace, up to a number of scores each. */
export const scoresOfNewestRuns = `
  SELECT ${scoreColumns.names}, newest
  FROM (SELECT * FROM scores FINAL WHERE ${ofTrace} AND run_id IS NOT NULL) AS scores
  INNER JOIN (
    SELECT run_id, max(created_at) AS newest
    FROM scores FINAL
    WHERE ${ofTrace} AND run_id IS NOT NULL
    GROUP BY run_id
    ORDER BY newest DESC, run_id DESC
    LIMIT {runs:UInt64}
  ) AS runs USING (run_id)
  ORDER BY newest DESC, run_id DESC, created_at, score_id
  LIMIT {limit:UInt64} BY run_id`

export const scoresOfRun = `
  SELECT ${scoreColumns.names} FROM scores FINAL
  WHERE ${ofTrace} AND run_id = {run:String}
  ORDER BY created_at, score_id
  LIMIT {limit:UInt64}`

/** Which of some scores of a trace are stored; with an author, those that this person gave. */
export const storedScoreIds = `
  SELECT score_id FROM scores FINAL
  WHERE ${ofTrace} AND score_id IN {ids:Array(String)}
    AND ({author:Nullable(String)} IS NULL
      OR (source = 'person' AND author_id = {author:Nullable(String)}))`

/** What some people have given some traces. */
export const scoresOfPeople = `
  SELECT trace_id, author_id, score_id FROM scores FINAL
  WHERE project_id = {project:String}
    AND trace_id IN {ids:Array(String)}
    AND source = 'person' AND author_id IN {authors:Array(String)}`

export const deleteScores = `DELETE FROM scores WHERE ${ofTrace} AND score_id IN {ids:Array(String)}`

/** Of each trace, the newest score of each name that counts. */
const latest = (condition: string) => `
  SELECT trace_id, name,
    argMax(value, (created_at, score_id)) AS latest_value,
    argMax(passed, (created_at, score_id)) AS latest_passed
  FROM scores FINAL
  WHERE project_id = {project:String}
    AND status = 'scored'
    AND span_id IS NULL
    AND ${condition}
  GROUP BY trace_id, name`

export const scoreCounts = `
  SELECT trace_id, count(), countIf(latest_passed)
  FROM (${latest('trace_id IN {ids:Array(String)}')})
  GROUP BY trace_id`

/** Traces whose score by a name matches. */
export const tracesWithScore = `
  SELECT trace_id FROM (${latest('name = {scoreName:String}')})
  WHERE latest_value BETWEEN {minScore:Float64} AND {maxScore:Float64}
    AND ({scorePassed:Nullable(Bool)} IS NULL OR latest_passed = {scorePassed:Nullable(Bool)})`

export const tracesWithAnyScore = `
  SELECT trace_id FROM scores WHERE project_id = {project:String}`

type ValueOrder = 'lowest-first' | 'highest-first'

const direction = { 'lowest-first': '', 'highest-first': 'DESC' } as const
const after = { 'lowest-first': '>', 'highest-first': '<' } as const

const upTo = { 'lowest-first': '<=', 'highest-first': '>=' } as const

const scoresAfter = (order: ValueOrder) => `
  FROM (${latest('name = {sortName:String}')}) AS latest
  WHERE (latest_value, trace_id) ${after[order]} ({afterValue:Float64}, {afterId:String})`

const inOrder = (order: ValueOrder) =>
  `ORDER BY latest_value ${direction[order]}, trace_id ${direction[order]}`

/** The last of the next scores, and how many they are. */
export const lastScore = (order: ValueOrder) => `
  SELECT ${order === 'lowest-first' ? 'max' : 'min'}(key).1,
    ${order === 'lowest-first' ? 'max' : 'min'}(key).2, count()
  FROM (
    SELECT (latest_value, trace_id) AS key ${scoresAfter(order)}
    ${inOrder(order)}
    LIMIT {scanLimit:UInt64}
  )`

/** The matching traces up to a score, each with its value and verdict. */
export const scoredTraces = (order: ValueOrder, condition: string) => `
  SELECT ${readTraceColumns.names}, latest_value, latest_passed
  FROM (SELECT * FROM traces FINAL WHERE project_id = {project:String} AND ${condition}) AS traces
  INNER JOIN (
    SELECT trace_id, latest_value, latest_passed ${scoresAfter(order)}
      AND (latest_value, trace_id) ${upTo[order]} ({endValue:Float64}, {endId:String})
  ) AS scored USING (trace_id)
  ${inOrder(order)}
  LIMIT {limit:UInt64}`

/** When the score after some newer ones was created. */
export const scoreBoundary = `
  SELECT created_at FROM scores FINAL
  WHERE project_id = {project:String}
    AND created_at >= {from:Int64} AND created_at < {to:Int64}
  ORDER BY created_at DESC
  LIMIT 1 OFFSET {skip:UInt64}`

export const scoreBuckets = `
  SELECT name, evaluator_id, source, intDiv(created_at, {bucketNanos:Int64}) AS bucket,
    countIf(status = 'scored'),
    if(countIf(status = 'scored') = 0, NULL, avgIf(value, status = 'scored')),
    if(countIf(status = 'scored') = 0, NULL, avgIf(toFloat64(passed), status = 'scored')),
    countIf(status = 'not_applicable'),
    countIf(status = 'error')
  FROM scores FINAL
  WHERE project_id = {project:String}
    AND created_at >= {from:Int64} AND created_at < {to:Int64}
  GROUP BY name, evaluator_id, source, bucket
  ORDER BY min(created_at)`
