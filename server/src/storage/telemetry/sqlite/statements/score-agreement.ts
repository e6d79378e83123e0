import { stopCheck } from '../read-limits.ts'
import { scoreColumns } from '../score-columns.ts'
import { readTraceColumns } from '../trace-columns.ts'

/*
 * Verdicts of evaluators and people on the same traces. `compared_scores` finds what people scored, `verdicts` the
 * scores of one evaluator on one trace.
 */

const comparedInRange = `
    FROM scores INDEXED BY compared_scores
    WHERE project_no = (SELECT project_no FROM projects WHERE project_id = :projectId)
      AND source = 'person'
      AND evaluator_id IS NOT NULL
      AND ${stopCheck('trace_no')}
      AND created_at >= :from`

/** The newest score of an evaluator: 1 if it passed. */
const evaluatorVerdict = (traceNo: string, evaluatorId: string) => `(
      SELECT passed
      FROM scores AS verdict INDEXED BY verdicts
      WHERE verdict.trace_no = ${traceNo}
        AND verdict.evaluator_id = ${evaluatorId}
        AND verdict.source = 'evaluator'
        AND verdict.status = 'scored'
      ORDER BY verdict.created_at DESC, verdict.score_id DESC
      LIMIT 1
    )`

/** Passes minus fails: positive if the majority passed the trace. */
const peopleBalance = (traceNo: string, evaluatorId: string) => `(
      SELECT sum(2 * passed - 1)
      FROM scores AS verdict INDEXED BY verdicts
      WHERE verdict.trace_no = ${traceNo}
        AND verdict.evaluator_id = ${evaluatorId}
        AND verdict.source = 'person'
        AND verdict.status = 'scored'
    )`

/** The creation time of the score of a person after `:skip` newer ones. */
export const comparedBoundary = `
  SELECT CAST(created_at AS TEXT)
  ${comparedInRange}
      AND created_at < :to
  ORDER BY created_at DESC
  LIMIT 1 OFFSET :skip
`

// Without a row in `traces`, a trace is being removed.
export const agreementByEvaluator = `
  WITH compared AS (
    SELECT trace_no, evaluator_id, name, max(created_at) AS scored_at
    ${comparedInRange}
      AND created_at < :to
    GROUP BY trace_no, evaluator_id
  ),
  judged AS MATERIALIZED (
    SELECT
      evaluator_id, name, scored_at,
      ${evaluatorVerdict('compared.trace_no', 'compared.evaluator_id')} AS passed,
      ${peopleBalance('compared.trace_no', 'compared.evaluator_id')} AS balance
    FROM compared CROSS JOIN traces ON traces.trace_no = compared.trace_no
  )
  SELECT
    evaluator_id, name,
    count(*) FILTER (WHERE passed = 1 AND balance > 0),
    count(*) FILTER (WHERE passed = 0 AND balance < 0),
    count(*) FILTER (WHERE passed = 1 AND balance < 0),
    count(*) FILTER (WHERE passed = 0 AND balance > 0),
    count(*) FILTER (WHERE balance = 0),
    CAST(max(scored_at) AS TEXT)
  FROM judged
  WHERE passed IS NOT NULL
  GROUP BY evaluator_id
  ORDER BY count(*) DESC, evaluator_id
  LIMIT :limit
`

type Position = '<' | '>='

const position = (comparison: Position, name: string) =>
  `(created_at, trace_no) ${comparison} (:${name}At, :${name}No)`

/** The last of the next `:scanLimit` scores of people; none if there are fewer. */
export const scannedComparedBoundary = `
  SELECT CAST(created_at AS TEXT), trace_no
  ${comparedInRange}
      AND ${position('<', 'before')}
  ORDER BY created_at DESC, trace_no DESC
  LIMIT 1 OFFSET :scanLimit - 1
`

/** Those of a tie or those of a majority, up to the boundary. A trace is listed at the newest score of a person. */
export const disagreements = `
  SELECT
    ${readTraceColumns.selection},
    CAST(found.scored_at AS TEXT), found.found_no
  FROM (
    SELECT
      trace_no AS found_no, created_at AS scored_at,
      ${evaluatorVerdict('scores.trace_no', ':evaluatorId')} AS passed,
      ${peopleBalance('scores.trace_no', ':evaluatorId')} AS balance
    ${comparedInRange}
      AND evaluator_id = :evaluatorId
      AND ${position('<', 'before')}
      AND ${position('>=', 'end')}
      AND NOT EXISTS (
        SELECT 1
        FROM scores AS newer INDEXED BY verdicts
        WHERE newer.trace_no = scores.trace_no
          AND newer.evaluator_id = :evaluatorId
          AND newer.source = 'person'
          AND newer.status = 'scored'
          AND (newer.created_at, newer.score_id) > (scores.created_at, scores.score_id)
          AND newer.created_at < :to
      )
  ) AS found
  CROSS JOIN traces ON traces.trace_no = found.found_no
  WHERE found.passed IS NOT NULL
    AND CASE :isTie
      WHEN 1 THEN found.balance = 0
      ELSE found.balance <> 0 AND found.passed = (found.balance < 0)
    END
  ORDER BY found.scored_at DESC, found.found_no DESC
  LIMIT :limit
`

const verdictsOf = (source: 'evaluator' | 'person') => `
  SELECT ${scoreColumns.selection}
  FROM scores INDEXED BY verdicts
  WHERE trace_no = :traceNo
    AND evaluator_id = :evaluatorId
    AND source = '${source}'
    AND status = 'scored'
  ORDER BY created_at DESC, score_id DESC
  LIMIT :limit
`

export const verdictsOfEvaluator = verdictsOf('evaluator')
export const verdictsOfPeople = verdictsOf('person')

export const countVerdictsOfPeople = `
  SELECT count(*) FILTER (WHERE passed = 1), count(*) FILTER (WHERE passed = 0)
  FROM scores INDEXED BY verdicts
  WHERE trace_no = :traceNo
    AND evaluator_id = :evaluatorId
    AND source = 'person'
    AND status = 'scored'
`
