import { scoreColumns } from '../score-columns.ts'
import { readTraceColumns } from '../trace-columns.ts'

/*
 * Statements on the verdicts of evaluators and people on the same traces.
 */

const compared = `
  project_id = {project:String} AND status = 'scored' AND evaluator_id IS NOT NULL`

const inRange = `source = 'person' AND created_at >= {from:Int64} AND created_at < {to:Int64}`

/** The creation time of the score of a person after some newer ones. */
export const comparedBoundary = `
  SELECT created_at FROM scores FINAL
  WHERE ${compared} AND ${inRange}
  ORDER BY created_at DESC
  LIMIT 1 OFFSET {skip:UInt64}`

/** Of each trace and evaluator with a verdict of both: that of the evaluator, and the votes of people. */
const verdicts = (condition: string) => `
  SELECT trace_id, evaluator_id,
    argMaxIf(passed, (created_at, score_id), source = 'evaluator') AS evaluator_passed,
    countIf(source = 'person' AND passed) AS people_passed,
    countIf(source = 'person' AND NOT passed) AS people_failed,
    maxIf(created_at, ${inRange}) AS scored_at,
    argMaxIf(name, (created_at, score_id), ${inRange}) AS newest_name
  FROM scores FINAL
  WHERE ${compared}
    AND ${condition}
    AND trace_id IN (SELECT trace_id FROM traces WHERE project_id = {project:String})
  GROUP BY trace_id, evaluator_id
  HAVING countIf(source = 'evaluator') > 0 AND countIf(${inRange}) > 0`

export const agreementByEvaluator = `
  SELECT evaluator_id, argMax(newest_name, scored_at),
    countIf(evaluator_passed AND people_passed > people_failed),
    countIf(NOT evaluator_passed AND people_passed < people_failed),
    countIf(evaluator_passed AND people_passed < people_failed),
    countIf(NOT evaluator_passed AND people_passed > people_failed),
    countIf(people_passed = people_failed)
  FROM (${verdicts('true')})
  GROUP BY evaluator_id
  ORDER BY count() DESC, evaluator_id
  LIMIT {limit:UInt64}`

/** Traces with a tie or a disagreement, each with the votes and when a person scored it last. */
export const disagreements = `
  SELECT ${readTraceColumns.names}, people_passed, people_failed, scored_at
  FROM (SELECT * FROM traces FINAL WHERE project_id = {project:String}) AS traces
  INNER JOIN (
    SELECT trace_id, people_passed, people_failed, scored_at
    FROM (${verdicts('evaluator_id = {evaluator:String}')})
    WHERE (scored_at, trace_id) < ({afterAt:Int64}, {afterId:String})
      AND if(
        {isTie:Bool},
        people_passed = people_failed,
        people_passed != people_failed AND evaluator_passed = (people_passed < people_failed)
      )
  ) AS found USING (trace_id)
  ORDER BY scored_at DESC, trace_id DESC
  LIMIT {limit:UInt64}`

/** The newest verdicts on some traces, of the evaluator and of people. */
export const verdictsOnTraces = `
  SELECT ${scoreColumns.names} FROM scores FINAL
  WHERE ${compared}
    AND evaluator_id = {evaluator:String}
    AND trace_id IN {ids:Array(String)}
    AND source IN ('evaluator', 'person')
  ORDER BY created_at DESC, score_id DESC
  LIMIT {limit:UInt64} BY trace_id, source`
