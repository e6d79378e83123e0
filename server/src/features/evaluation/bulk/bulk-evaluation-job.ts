import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import { type DefinedJob, defineJob, StepError, type StepInput } from '../../../jobs/define-job.ts'
import type { GatewayModel } from '../../../model-gateway/gateway-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { Position } from '../../../storage/telemetry/port/position.ts'
import { backgroundRequester } from '../background-requester.ts'
import { type EvaluatePorts, type Evaluation, runEvaluation } from '../evaluate.ts'
import { findCollection, findPricedModel } from '../evaluation-target.ts'
import {
  type JudgeBudget,
  openJudgeBudgetWithin,
  openSharedJudgeBudget,
} from '../judges/judge-budget.ts'
import { toRun } from '../results.ts'
import {
  type BulkEvaluationInput,
  type BulkEvaluationProgress,
  bulkEvaluationKind,
  countResults,
} from './bulk-evaluation-progress.ts'
import { listEvaluatedTraces } from './bulk-evaluation-traces.ts'

/*
 * Evaluates the traces that match filters, newest first, a few per step. All results have the same run id: a trace
 * that has results of it was evaluated by a step that was interrupted before its outcome was stored.
 */

export interface BulkEvaluationJobPorts extends EvaluatePorts {
  readonly models: Models
  readonly accounts: Pick<Accounts, 'evaluators' | 'evaluatorCollections'>
}

interface BulkEvaluationPosition {
  /** Still to be evaluated. */
  readonly traceIds: readonly string[]
  /** Where the next page of traces starts; null after the last page. */
  readonly after: Position | null
}

type Step = StepInput<BulkEvaluationInput, BulkEvaluationProgress>

const tracesPerPage = 50
const listDeadlineMs = 20_000
const callsMax = limits.bulkEvaluationCalls.value

export function bulkEvaluationJob(ports: BulkEvaluationJobPorts): DefinedJob {
  return defineJob({
    ...bulkEvaluationKind,
    waitsFor: 'models',
    async step(job: Step, position?: BulkEvaluationPosition) {
      const { input, progress } = job
      const isPageDone = position === undefined || position.traceIds.length === 0
      if (isPageDone && position?.after === null) {
        return end({ ...progress, total: progress.done }, 'no_more_traces')
      }
      if (progress.done >= input.maxTraces) return end(progress, 'max_traces')
      if (progress.costUsd >= input.maxCostUsd) return end(progress, 'max_cost_usd')
      stopAtBrokenModel(progress)
      if (isPageDone) {
        return { position: await listPage(job, position?.after ?? undefined, ports), progress }
      }
      return await evaluateNext(position, job, ports)
    },
  })
}

function end(progress: BulkEvaluationProgress, endedBy: BulkEvaluationProgress['endedBy']) {
  return { isDone: true, progress: { ...progress, endedBy } } as const
}

/** Further traces would only get results that are not scored. */
function stopAtBrokenModel({ modelFailure }: BulkEvaluationProgress): void {
  const { traces = 0, reason = '' } = modelFailure ?? {}
  if (traces < limits.bulkEvaluationModelFailures.value) return
  const what = `The model failed for ${traces} traces in a row. The first reason: ${reason}`
  throw new Failure('INTERNAL_ERROR', `${what} Test the model, then start the evaluation again.`)
}

async function listPage(
  { input: { filters }, signal, ...job }: Step,
  after: Position | undefined,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<BulkEvaluationPosition> {
  const { organizationId, projectId } = tenantOf(job)
  const query = { filters, limit: tracesPerPage, ...(after !== undefined && { after }) }
  const requester = backgroundRequester(organizationId)
  const options = { requester, signal, deadlineMs: listDeadlineMs }
  const { traceIds, next } = await listEvaluatedTraces(telemetry, projectId, query, options)
  return { traceIds, after: next ?? null }
}

interface Batch {
  readonly organizationId: string
  readonly projectId: string
  readonly evaluators: readonly Evaluator[]
  readonly model: GatewayModel | undefined
  readonly budget: JudgeBudget
}

/**
 * Evaluates the next traces at once, then stores and counts their results together: a cancellation leaves no results
 * that are not counted.
 */
async function evaluateNext(
  position: BulkEvaluationPosition,
  job: Step,
  ports: BulkEvaluationJobPorts,
): Promise<NextTraces> {
  const { input, progress, signal } = job
  const { organizationId, projectId } = tenantOf(job)
  const candidates = position.traceIds.slice(0, Math.min(callsMax, input.maxTraces - progress.done))
  const counted = await countStored(candidates, job, ports)
  if (counted.length > 0) return { position: without(counted, position), progress }
  // Looked up for each step: edits apply to the traces that follow.
  const { evaluators } = await findCollection(organizationId, input.collectionId, ports.accounts)
  const model = await findPricedModel(organizationId, evaluators, input.modelConfigId, ports.models)
  const budget = openSharedJudgeBudget(input.maxCostUsd - progress.costUsd)
  const batch = { organizationId, projectId, evaluators, model, budget }
  const startedAt = performance.now()
  const settled = await Promise.allSettled(
    candidates
      .slice(0, tracesAtOnce(evaluators))
      .map((traceId) => evaluateOne(traceId, batch, job, ports)),
  )
  const waitedMs = model === undefined ? 0 : performance.now() - startedAt
  const evaluated = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  progress.costUsd += budget.usedUsd()
  try {
    signal.throwIfAborted()
    // The others are first in the next step, which rejects if all of its traces do.
    const [first] = settled
    if (evaluated.length === 0 && first?.status === 'rejected') throw first.reason
    await store(evaluated, job, ports)
  } catch (error) {
    // The calls were paid for, although they are repeated. Results that are stored nevertheless are counted with their cost.
    if (await isStored(evaluated[0], job, ports)) throw error
    throw new StepError(error, progress)
  }
  const traceIds = evaluated.map(({ traceId }) => traceId)
  return { position: without(traceIds, position), progress, waitedMs }
}

interface NextTraces {
  readonly position: BulkEvaluationPosition
  readonly progress: BulkEvaluationProgress
  readonly waitedMs?: number
}

function without(
  traceIds: readonly string[],
  position: BulkEvaluationPosition,
): BulkEvaluationPosition {
  return { ...position, traceIds: position.traceIds.filter((one) => !traceIds.includes(one)) }
}

/** All their judges together make no more calls at once than the evaluation may. */
function tracesAtOnce(evaluators: readonly Evaluator[]): number {
  const judges = evaluators.filter(isJudge).length
  return judges === 0 ? 1 : Math.max(1, Math.floor(callsMax / judges))
}

interface Evaluated {
  readonly traceId: string
  /** Undefined if the trace was removed. */
  readonly evaluation: Evaluation | undefined
}

async function evaluateOne(
  traceId: string,
  { budget: shared, ...batch }: Batch,
  { input: { runId }, createdBy, signal }: Step,
  ports: BulkEvaluationJobPorts,
): Promise<Evaluated> {
  const budget = openJudgeBudgetWithin(shared, ports.judgeBudgetUsd)
  const requester = backgroundRequester(batch.organizationId)
  const judgeShare = { budget, callsAtOnce: callsMax }
  const evaluation = await runEvaluation(
    { ...batch, traceId, runId, authorId: createdBy, requester, signal, judgeShare },
    ports,
  )
  return { traceId, evaluation }
}

async function store(
  evaluated: readonly Evaluated[],
  job: Step,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<void> {
  const { input, progress } = job
  const scores = evaluated.flatMap(({ evaluation }) => evaluation?.scores ?? [])
  const { missingTraceIds } = await telemetry.recordScores(tenantOf(job).projectId, scores)
  for (const { traceId, evaluation } of evaluated) {
    const isKept = evaluation !== undefined && !missingTraceIds.includes(traceId)
    countResults(isKept ? toRun(input.runId, evaluation.scores) : undefined, progress)
  }
}

async function isStored(
  evaluated: Evaluated | undefined,
  { input: { runId }, ...job }: Step,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<boolean> {
  if (evaluated === undefined) return false
  const { organizationId, projectId } = tenantOf(job)
  const options = { requester: backgroundRequester(organizationId) }
  const run = telemetry.findScoreRun(projectId, evaluated.traceId, runId, options)
  return (await run.catch(() => undefined)) !== undefined
}

/** Counts the results of a step that was interrupted after it had stored them. Returns their traces. */
async function countStored(
  traceIds: readonly string[],
  job: Step,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<readonly string[]> {
  const { input, progress } = job
  const { organizationId, projectId } = tenantOf(job)
  const options = { requester: backgroundRequester(organizationId) }
  const counted: string[] = []
  for (const traceId of traceIds) {
    const stored = await telemetry.findScoreRun(projectId, traceId, input.runId, options)
    if (stored === undefined) continue
    const run = toRun(input.runId, stored.scores)
    countResults(run, progress)
    progress.costUsd += sumCosts(run)
    counted.push(traceId)
  }
  return counted
}

function sumCosts({ results }: EvaluationRun): number {
  return results.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)
}

function tenantOf({ organizationId, projectId }: Pick<Step, 'organizationId' | 'projectId'>) {
  if (organizationId === null || projectId === null) {
    throw new Error('an evaluation job has no project')
  }
  return { organizationId, projectId }
}
