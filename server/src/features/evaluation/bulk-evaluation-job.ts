import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { limits } from '@assay/contract/limits.ts'
import { type DefinedJob, defineJob, type StepInput } from '../../jobs/define-job.ts'
import type { Models } from '../../model-gateway/models.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import {
  type BulkEvaluationInput,
  type BulkEvaluationProgress,
  bulkEvaluationKind,
  countResults,
} from './bulk-evaluation-progress.ts'
import { findCollection, findPricedModel } from './bulk-evaluation-target.ts'
import { listEvaluatedTraces } from './bulk-evaluation-traces.ts'
import { backgroundRequester, type EvaluatePorts, evaluate } from './evaluate.ts'
import { openSharedJudgeBudget } from './judge-budget.ts'
import { toRun } from './results.ts'

/*
 * Evaluates the traces that match filters, newest first, one per step. All results have the same run id: a trace that
 * has results of it was evaluated by a step that was interrupted before its outcome was stored.
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

export function bulkEvaluationJob(ports: BulkEvaluationJobPorts): DefinedJob {
  return defineJob({
    ...bulkEvaluationKind,
    waitsForModels: true,
    async step(job: Step, position?: BulkEvaluationPosition) {
      const { input, progress } = job
      const [traceId, ...others] = position?.traceIds ?? []
      if (traceId === undefined && position?.after === null) {
        return end({ ...progress, total: progress.done }, 'no_more_traces')
      }
      if (progress.done >= input.maxTraces) return end(progress, 'max_traces')
      if (progress.costUsd >= input.maxCostUsd) return end(progress, 'max_cost_usd')
      if (position === undefined || traceId === undefined) {
        return { position: await listPage(job, position?.after ?? undefined, ports), progress }
      }
      const waitedMs = await evaluateOne(traceId, job, ports)
      return { position: { ...position, traceIds: others }, progress, waitedMs }
    },
  })
}

function end(progress: BulkEvaluationProgress, endedBy: BulkEvaluationProgress['endedBy']) {
  return { isDone: true, progress: { ...progress, endedBy } } as const
}

async function listPage(
  { input: { filters }, signal, ...job }: Step,
  after: Position | undefined,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<BulkEvaluationPosition> {
  const query = { filters, limit: tracesPerPage, ...(after !== undefined && { after }) }
  const options = { signal, deadlineMs: listDeadlineMs }
  const { traceIds, next } = await listEvaluatedTraces(telemetry, projectOf(job), query, options)
  return { traceIds, after: next ?? null }
}

/** Counts its results. Returns the time that it waited for models. */
async function evaluateOne(
  traceId: string,
  job: Step,
  ports: BulkEvaluationJobPorts,
): Promise<number> {
  const { input, progress, organizationId } = job
  const projectId = projectOf(job)
  if (organizationId === null) throw new Error('an evaluation job has no organization')
  const stored = await findStored(projectId, traceId, input.runId, ports)
  if (stored !== undefined) {
    countResults(stored, sumCosts(stored), progress)
    return 0
  }
  // Looked up for each trace: edits apply to the traces that follow.
  const { evaluators } = await findCollection(organizationId, input.collectionId, ports.accounts)
  const model = await findPricedModel(organizationId, evaluators, input.modelConfigId, ports.models)
  const startedAt = performance.now()
  const budget = openSharedJudgeBudget(input.maxCostUsd - progress.costUsd, ports.judgeBudgetUsd)
  const run = await evaluate(
    {
      ...{ organizationId, projectId, traceId, evaluators, model, runId: input.runId },
      ...{ authorId: job.createdBy, requester: backgroundRequester(projectId), signal: job.signal },
      judgeShare: { budget, callsAtOnce: limits.bulkEvaluationCalls.value },
    },
    ports,
  )
  countResults(run, budget.usedUsd(), progress)
  return model === undefined ? 0 : performance.now() - startedAt
}

/** The results of a step that was interrupted after it had stored them. */
async function findStored(
  projectId: string,
  traceId: string,
  runId: string,
  { telemetry }: BulkEvaluationJobPorts,
): Promise<EvaluationRun | undefined> {
  const stored = await telemetry.findScoreRun(projectId, traceId, runId)
  return stored && toRun(runId, stored.scores)
}

function sumCosts({ results }: EvaluationRun): number {
  return results.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)
}

function projectOf({ projectId }: Pick<Step, 'projectId'>): string {
  if (projectId === null) throw new Error('an evaluation job has no project')
  return projectId
}
