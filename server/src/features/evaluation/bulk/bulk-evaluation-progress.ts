import type { BulkEvaluation } from '@assay/contract/bulk-evaluations.ts'
import type { EvaluationRun } from '@assay/contract/evaluations.ts'
import { id } from '@assay/contract/fields.ts'
import type { ProjectJobKind } from '@assay/contract/jobs.ts'
import { traceFilters } from '@assay/contract/traces.ts'
import { z } from 'zod'
import { parseInput } from '../../../jobs/job-row.ts'
import type { JobRow } from '../../../storage/accounts/tables.ts'

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
  if (run === undefined) progress.skipped += 1
  for (const { status, passed } of run?.results ?? []) {
    if (status === 'error') progress.notScored += 1
    else if (status === 'not_applicable') progress.notApplicable += 1
    else if (passed) progress.passed += 1
    else progress.failed += 1
  }
}

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
    cost_usd: progress.costUsd,
    ended_by: progress.endedBy,
  }
}
