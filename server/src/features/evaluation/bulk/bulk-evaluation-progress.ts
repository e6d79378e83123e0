import type { BulkEvaluation } from '@assay/contract/bulk-evaluations.ts'
import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { isJudge } from '@assay/contract/evaluators.ts'
import { id } from '@assay/contract/fields.ts'
import type { ProjectJobKind } from '@assay/contract/jobs.ts'
import { traceFilters } from '@assay/contract/traces.ts'
import { z } from 'zod'
import { parseInput } from '../../../jobs/job-row.ts'
import type { JobRow } from '../../../storage/accounts/service-tables.ts'

/*
 * The input of an evaluation of many traces, and what it has done so far.
 */

export const bulkEvaluationKind = {
  kind: 'evaluation' satisfies ProjectJobKind,
  input: z.object({
    /** Of the run of each trace. */
    runId: id,
    collectionId: id,
    modelConfigId: id.nullable(),
    filters: traceFilters,
    maxTraces: z.int(),
    maxCostUsd: z.number(),
  }),
}
export type BulkEvaluationInput = z.output<typeof bulkEvaluationKind.input>

/** Stored between traces as JSON. */
export interface BulkEvaluationProgress {
  /** Traces, evaluated or skipped. */
  done: number
  readonly total: number | null
  skipped: number
  passed: number
  failed: number
  notApplicable: number
  notScored: number
  /** The reasoning of the first result that is not scored. Absent in older jobs. */
  notScoredReason?: string | null
  /** The traces in a row for which the model failed, with the first reason. Absent in older jobs. */
  modelFailure?: { readonly traces: number; readonly reason: string } | null
  costUsd: number
  readonly endedBy: BulkEvaluation['ended_by']
}

export function emptyBulkEvaluationProgress(total: number | null): BulkEvaluationProgress {
  const results = { passed: 0, failed: 0, notApplicable: 0, notScored: 0 }
  return { done: 0, total, skipped: 0, ...results, costUsd: 0, endedBy: null }
}

/** Adds one trace; `run` is undefined if it was removed. */
export function countResults(
  run: EvaluationRun | undefined,
  progress: BulkEvaluationProgress,
): void {
  progress.done += 1
  if (run === undefined) {
    progress.skipped += 1
    return
  }
  countModelFailure(run, progress)
  for (const { status, passed, reasoning } of run.results) {
    if (status === 'error') {
      progress.notScored += 1
      progress.notScoredReason ??= reasoning
    } else if (status === 'not_applicable') progress.notApplicable += 1
    else if (passed) progress.passed += 1
    else progress.failed += 1
  }
}

/** A trace whose judges did not call the model changes nothing. */
function countModelFailure({ results }: EvaluationRun, progress: BulkEvaluationProgress): void {
  const judged = results.filter(isJudge)
  if (judged.some(({ status }) => status === 'scored')) {
    progress.modelFailure = null
    return
  }
  const [found] = judged.flatMap(({ reasoning }) => modelFailure.exec(reasoning)?.[1] ?? [])
  if (found === undefined) return
  const { traces, reason } = progress.modelFailure ?? { traces: 0, reason: found }
  progress.modelFailure = { traces: traces + 1, reason }
}

const modelFailure = /^Not scored: (?:provider_error|timeout): (.*)$/s

export function toApiBulkEvaluation(row: JobRow): BulkEvaluation {
  const input = parseInput(bulkEvaluationKind, row)
  const progress = JSON.parse(row.progress) as BulkEvaluationProgress
  return {
    ...{ collection_id: input.collectionId, model_config_id: input.modelConfigId },
    ...{ filters: input.filters, max_traces: input.maxTraces, max_cost_usd: input.maxCostUsd },
    run_id: input.runId,
    traces_evaluated: progress.done - progress.skipped,
    traces_skipped: progress.skipped,
    results_passed: progress.passed,
    results_failed: progress.failed,
    results_not_applicable: progress.notApplicable,
    results_not_scored: progress.notScored,
    not_scored_reason: progress.notScoredReason ?? null,
    cost_usd: progress.costUsd,
    ended_by: progress.endedBy,
  }
}
