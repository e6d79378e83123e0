import type { EvaluationResult, EvaluationRun } from '@assay/contract/evaluations.ts'
import type { Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { formatInstant, type Instant } from '../../domain/instant.ts'
import { toJsonText } from '../../domain/json-text.ts'
import type { Score } from '../../domain/score.ts'
import type { Failed } from '../../evaluators/evaluate-trace.ts'
import type { Verdict } from '../../evaluators/evaluator.ts'
import { isPassing } from '../../evaluators/verdicts.ts'
import { newOrderedId } from '../../platform/ids.ts'

/*
 * Results of evaluators as scores, and scores as results. Source: decisions, section 5.
 */

/** What one evaluator found, with what it used. */
export interface Outcome {
  readonly verdict: Verdict | Failed
  readonly latencyMs: number
  readonly criteria?: EvaluationResult['criteria']
  readonly confidence?: number
  readonly usage?: {
    readonly tokensIn: number | null
    readonly tokensOut: number | null
    readonly costUsd: number | null
  }
}

export interface RunFacts {
  readonly runId: string
  readonly traceId: string
  /** Null: the service did, by a rule. */
  readonly authorId: string | null
  readonly at: Instant
}

const criteriaMax = limits.evaluationCriteria.value

export function toScore(evaluator: Evaluator, outcome: Outcome, facts: RunFacts): Score {
  const { verdict, latencyMs, criteria = [], confidence = null, usage } = outcome
  const { value, passed, prefix } = outcomeOf(outcome, evaluator.threshold)
  const { issues, evidence: quotes } = foundIn(verdict)
  const evidence = quotes.map(({ spanId, quote }) => ({ span_id: spanId, quote }))
  return {
    ...{ id: newOrderedId(), runId: facts.runId, traceId: facts.traceId, spanId: null },
    ...{ name: evaluator.name, evaluatorId: evaluator.id, evalType: evaluator.eval_type },
    ...{ source: 'evaluator', authorId: facts.authorId, status: verdict.status, value, passed },
    reasoning: prefix + verdict.reasoning,
    tokensIn: usage?.tokensIn ?? null,
    tokensOut: usage?.tokensOut ?? null,
    costUsd: usage?.costUsd ?? null,
    latencyMs,
    details: toJsonText({
      criteria: criteria.slice(0, criteriaMax),
      ...{ issues, evidence, confidence },
    }),
    ...{ createdAt: facts.at, updatedAt: facts.at },
  }
}

/** A result that does not pass has an issue or evidence, also one that is not scored. */
function foundIn(verdict: Outcome['verdict']) {
  if (verdict.status === 'scored') return verdict
  const issues = verdict.status === 'error' ? [verdict.reasoning] : []
  return { issues, evidence: [] }
}

function outcomeOf({ verdict }: Outcome, threshold: number) {
  if (verdict.status === 'not_applicable')
    return { value: 1, passed: true, prefix: 'Not applicable: ' }
  if (verdict.status === 'error') return { value: 0, passed: false, prefix: 'Not scored: ' }
  const passed = isPassing(verdict.score, threshold)
  return { value: verdict.score, passed, prefix: '' }
}

/** The stored scores of a run, in order. */
export function toRun(runId: string, scores: readonly Score[]): EvaluationRun {
  const counted = scores.filter(({ status }) => status === 'scored')
  const count = (status: Score['status']) => scores.filter((one) => one.status === status).length
  const mean = (valueOf: (score: Score) => number) =>
    counted.length === 0 ? 0 : counted.reduce((sum, one) => sum + valueOf(one), 0) / counted.length
  return {
    runId,
    averageScore: mean(({ value }) => value),
    passRate: mean(({ passed }) => (passed ? 1 : 0)),
    scoredCount: counted.length,
    notApplicableCount: count('not_applicable'),
    errorCount: count('error'),
    results: scores.map((score) => toResult(runId, score)),
  }
}

type Details = Pick<EvaluationResult, 'criteria' | 'issues' | 'evidence' | 'confidence'>

function toResult(runId: string, score: Score): EvaluationResult {
  const details = JSON.parse(score.details) as Partial<Details>
  const { criteria = [], issues = [], evidence = [], confidence = null } = details
  return {
    ...{ id: score.id, run_id: runId, evaluator_id: score.evaluatorId ?? score.id },
    evaluator_name: score.name,
    eval_type: score.evalType ?? 'offline_deterministic',
    ...{ status: score.status, score: score.value, passed: score.passed },
    ...{ reasoning: score.reasoning, criteria, issues, evidence, confidence },
    ...{ tokens_in: score.tokensIn, tokens_out: score.tokensOut, cost_usd: score.costUsd },
    ...{ latency_ms: score.latencyMs, created_at: formatInstant(score.createdAt) },
  }
}
