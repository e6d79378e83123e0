import type { Score } from '@assay/contract/scores.ts'
import type { ScoreBody } from '../../api/scores.ts'
import { parseNumber } from '../../form/parse-number.ts'

/*
 * A score of a person as the values of a form.
 */

/** What is scored: the result of an evaluator, or anything under a name. */
export interface ScoreTarget {
  readonly evaluatorId: string | null
  readonly name: string
  /** Omitted for a score of the whole trace. */
  readonly spanId?: string
  /** The own score so far. */
  readonly score?: Score | undefined
}

export interface ScoreValues {
  readonly name: string
  readonly verdict: 'pass' | 'fail'
  /** Empty: 1 for a pass, 0 for a fail. */
  readonly score: string
  readonly reasoning: string
}

export function toScoreValues({ name, score }: ScoreTarget): ScoreValues {
  if (score === undefined) return { name, verdict: 'pass', score: '', reasoning: '' }
  const { passed, reasoning } = score
  return {
    ...{ name, reasoning, verdict: passed ? 'pass' : 'fail' },
    score: score.score === scoreOf(passed) ? '' : String(score.score),
  }
}

export function toScoreBody(values: ScoreValues, { evaluatorId, spanId }: ScoreTarget): ScoreBody {
  const passed = values.verdict === 'pass'
  return {
    ...(evaluatorId === null ? { name: values.name } : { evaluator_id: evaluatorId }),
    ...(spanId !== undefined && { span_id: spanId }),
    ...{ passed, score: parseNumber(values.score) ?? scoreOf(passed) },
    reasoning: values.reasoning.trim(),
  }
}

/** The body of a verdict without a form. Keeps the reason, and the score of the same verdict. */
export function toVerdictBody(passed: boolean, target: ScoreTarget): ScoreBody {
  const before = toScoreValues(target)
  const verdict = passed ? 'pass' : 'fail'
  const score = verdict === before.verdict ? before.score : ''
  return toScoreBody({ ...before, verdict, score }, target)
}

function scoreOf(passed: boolean): number {
  return passed ? 1 : 0
}
