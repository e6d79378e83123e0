import { limits } from '@assay/contract/limits.ts'
import type { Score } from '../../../domain/score.ts'
import type { Models } from '../../../model-gateway/models.ts'
import { Unavailable } from '../../../platform/failure.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { EvaluationRuleRow } from '../../../storage/accounts/evaluation-tables.ts'
import type { ScoreRun } from '../../../storage/telemetry/port/scores.ts'
import { backgroundRequester } from '../background-requester.ts'
import { type EvaluatePorts, type Evaluation, runEvaluation } from '../evaluate.ts'
import { loadCollections } from '../evaluators/evaluators.ts'
import {
  type JudgeBudget,
  openJudgeBudgetWithin,
  openSharedJudgeBudget,
} from '../judges/judge-budget.ts'
import { parseScores, serializeScores } from '../unstored-scores.ts'
import { evaluatedBefore, type RulePage } from './rule-page.ts'
import {
  addCost,
  addWaiting,
  countStored,
  countsOfDay,
  ruleRunId,
  type TraceOutcome,
} from './rule-progress.ts'
import { findRuleTarget, type RuleTarget } from './rule-target.ts'

/*
 * Evaluates a trace by a rule. The run id of a rule and a trace is always the same, so that a step that was interrupted
 * finds its results.
 */

export interface RuleEvaluationPorts extends EvaluatePorts {
  readonly models: Models
  readonly accounts: Pick<Accounts, 'evaluators' | 'evaluatorCollections' | 'evaluationRules'>
}

/** A trace that fails as often, or kills the process, is skipped. The delays between attempts add up to a minute. */
const attemptsPerTrace = 6

/** The step that evaluates. */
export interface EvaluationStep {
  readonly attempt: number
  readonly signal: AbortSignal
}

interface Decided extends TraceOutcome {
  readonly waitedMs?: number
}

/** The store is unavailable. */
interface Waiting {
  readonly unstored: RulePage['unstored']
}

export async function decide(
  traceId: string,
  page: RulePage,
  rule: EvaluationRuleRow,
  job: EvaluationStep,
  ports: RuleEvaluationPorts,
): Promise<Decided | Waiting | 'stopped'> {
  const { unstored } = page
  if (unstored !== undefined) {
    const outcome = await storeResults(traceId, parseScores(unstored), rule, job, ports)
    return outcome === 'unavailable' ? { unstored } : outcome
  }
  const target = await findTarget(rule, ports)
  if (target.problem !== null) return 'stopped'
  const stored = await findRun(traceId, rule, ports)
  if (stored === 'unavailable') return { unstored }
  if (stored !== undefined) return countStored(stored.scores, rule, evaluatedBefore(page, rule))
  return await evaluateOnce(traceId, rule, target, job, ports)
}

/** What the rule has stored of the trace. While nothing can be read, that is no failure of the trace. */
async function findRun(
  traceId: string,
  { id, organization_id, project_id }: EvaluationRuleRow,
  { telemetry }: RuleEvaluationPorts,
): Promise<ScoreRun | undefined | 'unavailable'> {
  const requester = backgroundRequester(organization_id)
  try {
    return await telemetry.findScoreRun(project_id, traceId, ruleRunId(id, traceId), { requester })
  } catch (error) {
    if (error instanceof Unavailable) return 'unavailable'
    throw error
  }
}

/** Evaluates the trace, unless it has failed too often. */
async function evaluateOnce(
  traceId: string,
  rule: EvaluationRuleRow,
  target: RuleTarget,
  job: EvaluationStep,
  ports: RuleEvaluationPorts,
): Promise<Decided | Waiting> {
  if (job.attempt > attemptsPerTrace) {
    ports.log.warn('a trace failed too often and is skipped by a rule', {
      ruleId: rule.id,
      traceId,
    })
    return { skipped: 1 }
  }
  const { model } = target
  const { costUsd: usedUsd } = countsOfDay(rule, ports.clock.now().toISOString())
  const remainingUsd = rule.max_cost_usd_per_day - usedUsd
  if (model !== undefined && remainingUsd <= 0) return { skipped: 1 }
  const budget = openJudgeBudgetWithin(openSharedJudgeBudget(remainingUsd), ports.judgeBudgetUsd)
  const startedAt = performance.now()
  const evaluation = await runOnce(traceId, rule, target, { ...job, budget }, ports)
  const waitedMs = model === undefined ? 0 : performance.now() - startedAt
  const cost = { costUsd: budget.usedUsd(), waitedMs }
  if (evaluation === 'failed') return { skipped: 1, ...cost }
  // Without an evaluation, the trace was removed.
  if (evaluation === undefined) return cost
  const outcome = await storeResults(traceId, evaluation.scores, rule, job, ports)
  if (outcome !== 'unavailable') return { ...outcome, ...cost }
  ports.log.warn('results of a rule wait until they can be stored', { ruleId: rule.id, traceId })
  await keepCost(rule, cost.costUsd, addWaiting, ports)
  return { unstored: serializeScores(evaluation.scores) }
}

/** Rejects if the evaluation is to be repeated. */
async function runOnce(
  traceId: string,
  rule: EvaluationRuleRow,
  { evaluators, model }: RuleTarget,
  { signal, budget }: EvaluationStep & { readonly budget: JudgeBudget },
  ports: RuleEvaluationPorts,
): Promise<Evaluation | undefined | 'failed'> {
  const { organization_id: organizationId, project_id: projectId } = rule
  const runId = ruleRunId(rule.id, traceId)
  try {
    return await runEvaluation(
      {
        ...{ organizationId, projectId, traceId, evaluators, model, runId, signal },
        ...{ authorId: null, requester: backgroundRequester(organizationId) },
        judgeShare: { budget, callsAtOnce: limits.bulkEvaluationCalls.value },
      },
      ports,
    )
  } catch (error) {
    if (error instanceof Unavailable || signal.aborted) {
      await keepCost(rule, budget.usedUsd(), addCost, ports)
      throw error
    }
    logFailure(error, traceId, rule, ports)
    return 'failed'
  }
}

/** The results of an evaluation, which can be stored again if it is not known whether they are. */
async function storeResults(
  traceId: string,
  scores: readonly Score[],
  rule: EvaluationRuleRow,
  { signal }: EvaluationStep,
  ports: RuleEvaluationPorts,
): Promise<TraceOutcome | 'unavailable'> {
  try {
    const { missingTraceIds } = await ports.telemetry.recordScores(rule.project_id, scores)
    return { evaluated: missingTraceIds.length > 0 ? 0 : 1 }
  } catch (error) {
    if (error instanceof Unavailable || signal.aborted) return 'unavailable'
    logFailure(error, traceId, rule, ports)
    return { skipped: 1 }
  }
}

function logFailure(
  error: unknown,
  traceId: string,
  { id: ruleId }: EvaluationRuleRow,
  { log }: RuleEvaluationPorts,
): void {
  log.error('a trace could not be evaluated by a rule', error, { ruleId, traceId })
}

/** Calls are paid for too whose results are not stored yet, or never. */
async function keepCost(
  rule: EvaluationRuleRow,
  costUsd: number,
  add: typeof addCost,
  { accounts, clock }: RuleEvaluationPorts,
): Promise<void> {
  if (costUsd === 0) return
  await accounts.evaluationRules.advance(rule, add(rule, costUsd, clock.now().toISOString()))
}

export async function findTarget(
  rule: EvaluationRuleRow,
  { accounts, models }: RuleEvaluationPorts,
): Promise<RuleTarget> {
  const { organization_id: organizationId, collection_id: collectionId } = rule
  const [collection] = await loadCollections(organizationId, [collectionId], accounts)
  return await findRuleTarget(rule, collection, models)
}
