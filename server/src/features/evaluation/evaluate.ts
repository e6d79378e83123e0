import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import type { Evaluator } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { parseInstant } from '../../domain/instant.ts'
import type { Score } from '../../domain/score.ts'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import type { PreparedTask } from '../../evaluators/judge/judge-prompt.ts'
import { runJudge } from '../../evaluators/judge/run-judge.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { type Deadline, DeadlinePassed, openDeadline } from '../../platform/deadline.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { mapAtOnce } from '../../platform/map-at-once.ts'
import type { Requester } from '../../platform/requester.ts'
import type { ChosenEvaluator } from './evaluation-process.ts'
import { type EvaluationRunner, outOfTime } from './evaluation-runner.ts'
import { type JudgeBudget, openJudgeBudget } from './judges/judge-budget.ts'
import { type JudgeRun, type ModelJudgePorts, openModelJudge } from './judges/model-judge.ts'
import { readSiblings, readWholeTrace } from './read-trace.ts'
import { type Outcome, toRun, toScore } from './results.ts'

/*
 * Evaluates a trace: deterministic evaluators in their process, then judges. All results are stored together.
 */

export interface EvaluatePorts extends ModelJudgePorts {
  readonly evaluationRunner: EvaluationRunner
  readonly judgeBudgetUsd: number
  readonly log: Log
  /** By default the published limit. */
  readonly evaluationMs?: number | undefined
}

export interface EvaluationRequest {
  readonly organizationId: string
  readonly projectId: string
  readonly traceId: string
  readonly evaluators: readonly Evaluator[]
  /** Required by judges. */
  readonly model: GatewayModel | undefined
  /** Null: the service itself. */
  readonly authorId: string | null
  readonly requester: Requester
  readonly signal: AbortSignal
  /** A new one by default. */
  readonly runId?: string
  /** What the judges may use; by default that of one evaluation. */
  readonly judgeShare?: { readonly budget: JudgeBudget; readonly callsAtOnce: number }
}

const evaluationMsMax = limits.evaluationSeconds.value * 1000

/** Undefined if the project has no such trace, or no longer. */
export async function evaluate(
  request: EvaluationRequest,
  ports: EvaluatePorts,
): Promise<EvaluationRun | undefined> {
  const found = await runEvaluation(request, ports)
  if (found === undefined) return undefined
  const { runId, scores } = found
  const { missingTraceIds } = await ports.telemetry.recordScores(request.projectId, scores)
  return missingTraceIds.length > 0 ? undefined : toRun(runId, scores)
}

export interface Evaluation {
  readonly runId: string
  /** Before judges were called. */
  readonly verdicts: readonly TraceVerdict[]
  readonly scores: readonly Score[]
}

/** Stores nothing but the calls of judges. Undefined if the project has no such trace. */
export async function runEvaluation(
  request: EvaluationRequest,
  ports: EvaluatePorts,
): Promise<Evaluation | undefined> {
  const { traceId, evaluators, authorId, signal, runId = newId() } = request
  const { clock, evaluationMs = evaluationMsMax } = ports
  const time = openDeadline(signal, Date.now() + evaluationMs)
  try {
    const verdicts = await findVerdicts(request, time, ports)
    if (verdicts === undefined) return undefined
    const outcomes = await judgeTasks(verdicts, runId, request, time, ports)
    signal.throwIfAborted()
    const facts = { runId, traceId, authorId, at: parseInstant(clock.now().toISOString()) }
    const scores = evaluators.map((one, index) => toScore(one, outcomes[index]!, facts))
    return { runId, verdicts, scores }
  } finally {
    time.end()
  }
}

/** One for each evaluator, in their order; undefined without the trace. */
async function findVerdicts(
  request: EvaluationRequest,
  time: Deadline,
  ports: EvaluatePorts,
): Promise<readonly TraceVerdict[] | undefined> {
  const waiter = { owner: request.requester[0], signal: time.signal }
  try {
    return await ports.evaluationRunner.inTurn(waiter, () => runEvaluators(request, time, ports))
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    return request.evaluators.map(() => outOfTime)
  }
}

/** Undefined without the trace. */
async function runEvaluators(
  { projectId, traceId, evaluators, requester }: EvaluationRequest,
  time: Deadline,
  { telemetry, evaluationRunner }: EvaluatePorts,
): Promise<readonly TraceVerdict[] | undefined> {
  const { signal } = time
  const read = await readWholeTrace(telemetry, projectId, traceId, { requester, signal })
  if (read === undefined) return undefined
  if (read === 'too large') return evaluators.map(() => tooLarge)
  const needsSiblings = evaluators.some(({ key }) => key === 'bias.counterfactual-gap')
  const siblings = needsSiblings
    ? await readSiblings(telemetry, projectId, read.trace, { requester, signal })
    : []
  const chosen = evaluators.map(toChosen)
  return await evaluationRunner.run(requester, time, { ...read, evaluators: chosen, siblings })
}

function toChosen({ key, prompt_template: template }: Evaluator): ChosenEvaluator {
  return key === null ? { template: template ?? '' } : { key }
}

const tooLarge: TraceVerdict = {
  verdict: {
    status: 'error',
    reasoning: `the trace is larger than ${limits.evaluatedBytes.value / 1024 / 1024} MiB.`,
  },
  latencyMs: 0,
}

/** As many at once as the gateway lets an organization call: the budget is checked before each call. */
async function judgeTasks(
  verdicts: readonly TraceVerdict[],
  runId: string,
  request: EvaluationRequest,
  time: Deadline,
  ports: EvaluatePorts,
): Promise<readonly Outcome[]> {
  const { budget, callsAtOnce } = request.judgeShare ?? {
    budget: openJudgeBudget(ports.judgeBudgetUsd),
    callsAtOnce: limits.modelCallsOfOrganization.value,
  }
  return await mapAtOnce(verdicts, callsAtOnce, async ({ verdict, latencyMs }, index) => {
    if ('status' in verdict) {
      if ('defect' in verdict && verdict.defect !== undefined)
        ports.log.error('an evaluator failed', verdict.defect)
      return { verdict, latencyMs }
    }
    if (time.isUp()) return outOfTime
    const { model } = request
    if (model === undefined) throw new Error('a judge needs a model')
    const run = { ...request, model, runId, budget, deadline: time.endsAt }
    return await judgeOne(verdict, request.evaluators[index]!, run, ports)
  })
}

async function judgeOne(
  task: PreparedTask,
  evaluator: Evaluator,
  run: JudgeRun,
  ports: EvaluatePorts,
): Promise<Outcome> {
  const startedAt = performance.now()
  const judge = openModelJudge(evaluator, run, ports)
  const { threshold } = evaluator
  const { verdict, decisions, confidence } = await runJudge(task, threshold, judge.ask)
  const criteria = decisions.map(({ criterion, value, evidence }) => ({
    ...{
      id: criterion.id,
      question: criterion.subject ?? criterion.question,
      verdict: toApiVerdict(value),
    },
    evidence: evidence.map(({ spanId, quote }) => ({ span_id: spanId, quote })),
  }))
  const latencyMs = performance.now() - startedAt
  const found = confidence === undefined ? {} : { confidence }
  return { verdict, latencyMs, criteria, usage: judge.usage(), ...found }
}

function toApiVerdict(value: number | null): 'yes' | 'no' | 'not_applicable' {
  if (value === null) return 'not_applicable'
  return value >= 0.5 ? 'yes' : 'no'
}
