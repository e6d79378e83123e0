import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import { limits } from '@assay/contract/limits.ts'
import type { Score } from '../../../domain/score.ts'
import { type DefinedJob, defineJob, StepError, type StepInput } from '../../../jobs/define-job.ts'
import type { GatewayModel } from '../../../model-gateway/gateway-model.ts'
import type { Models } from '../../../model-gateway/models.ts'
import { Failure, Unavailable } from '../../../platform/failure.ts'
import type { Accounts } from '../../../storage/accounts/connect.ts'
import type { Position } from '../../../storage/telemetry/port/position.ts'
import { backgroundRequester } from '../background-requester.ts'
import { type EvaluatePorts, runEvaluation } from '../evaluate.ts'
import { findCollection, findPricedModel } from '../evaluation-target.ts'
import {
  type JudgeBudget,
  openJudgeBudgetWithin,
  openSharedJudgeBudget,
} from '../judges/judge-budget.ts'
import { toRun } from '../results.ts'
import { parseScores, serializeScores, type UnstoredScore } from '../unstored-scores.ts'
import {
  type BulkEvaluationInput,
  type BulkEvaluationProgress,
  bulkEvaluationKind,
  countResults,
} from './bulk-evaluation-progress.ts'
import { listEvaluatedTraces } from './bulk-evaluation-traces.ts'

/*
 * Evaluates the traces that match filters, newest first, a few per step. All results have the same run id: a trace
 * that has results of it was evaluated by a step that was interrupted before its outcome was stored. Results that cannot
 * be stored wait in the position, and no further trace is evaluated meanwhile. So do those of a step
 * in which the service stops.
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
  /** Their cost is counted, their results are not. */
  readonly unstored?: UnstoredTraces
}

/** Evaluated while the telemetry store was unavailable, or when the service stopped. */
interface UnstoredTraces {
  readonly traceIds: readonly string[]
  readonly scores: readonly UnstoredScore[]
}

type Step = StepInput<BulkEvaluationInput, BulkEvaluationProgress>

const tracesPerPage = 50
const listDeadlineMs = 20_000
/** Between attempts to store results while the telemetry store is unavailable. */
const storeEveryMs = 2000
const callsMax = limits.bulkEvaluationCalls.value

export function bulkEvaluationJob(ports: BulkEvaluationJobPorts): DefinedJob {
  return defineJob({
    ...bulkEvaluationKind,
    waitsFor: 'models',
    async step(job: Step, position?: BulkEvaluationPosition) {
      const { input, progress } = job
      if (position?.unstored !== undefined) {
        const { unstored, ...rest } = position
        return await storeOrWait(parseUnstored(unstored), rest, job, ports)
      }
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
  // The others are first in the next step, which rejects if all of its traces do.
  const [first] = settled
  const failure = evaluated.length === 0 && first?.status === 'rejected' ? first : undefined
  // The calls were paid for, although they are repeated.
  if (failure !== undefined) throw new StepError(failure.reason, progress)
  // Stored by the process that continues after a stop. After a cancellation, no position is stored.
  if (signal.aborted) return { position: keep(evaluated, position), progress, resumeInMs: 0 }
  const next = await storeOrWait(evaluated, position, job, ports)
  if (next.position.unstored !== undefined) {
    ports.log.warn('results of an evaluation wait until they can be stored', { projectId })
  }
  return { ...next, waitedMs }
}

/** Results were paid for: while they cannot be stored, they wait in the position. */
async function storeOrWait(
  evaluated: readonly Evaluated[],
  position: BulkEvaluationPosition,
  job: Step,
  ports: BulkEvaluationJobPorts,
): Promise<NextTraces> {
  const { progress } = job
  try {
    await store(evaluated, job, ports)
    return { position: without(idsOf(evaluated), position), progress }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw new StepError(error, progress)
    return { position: keep(evaluated, position), progress, resumeInMs: storeEveryMs }
  }
}

function keep(
  evaluated: readonly Evaluated[],
  position: BulkEvaluationPosition,
): BulkEvaluationPosition {
  const traceIds = idsOf(evaluated)
  const scores = serializeScores(evaluated.flatMap((one) => one.scores))
  return { ...without(traceIds, position), unstored: { traceIds, scores } }
}

function idsOf(evaluated: readonly Evaluated[]): readonly string[] {
  return evaluated.map(({ traceId }) => traceId)
}

function parseUnstored({ traceIds, scores }: UnstoredTraces): readonly Evaluated[] {
  const byTrace = Map.groupBy(parseScores(scores), ({ traceId }) => traceId)
  return traceIds.map((traceId) => ({ traceId, scores: byTrace.get(traceId) ?? [] }))
}

interface NextTraces {
  readonly position: BulkEvaluationPosition
  readonly progress: BulkEvaluationProgress
  readonly waitedMs?: number
  readonly resumeInMs?: number
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
  /** None if the trace was removed. */
  readonly scores: readonly Score[]
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
  return { traceId, scores: evaluation?.scores ?? [] }
}

async function store(
  evaluated: readonly Evaluated[],
  job: Step,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<void> {
  const { input, progress } = job
  const all = evaluated.flatMap(({ scores }) => scores)
  const { missingTraceIds } = await telemetry.recordScores(tenantOf(job).projectId, all)
  for (const { traceId, scores } of evaluated) {
    const isKept = scores.length > 0 && !missingTraceIds.includes(traceId)
    countResults(isKept ? toRun(input.runId, scores) : undefined, progress)
  }
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
