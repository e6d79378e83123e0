import type { EvaluationJob } from '@assay/contract/jobs.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCost, formatCount } from '@assay/ui/number-format.ts'
import { toTraceSearch } from '../../parts/filter-labels.ts'
import { formatTracesDone } from '../../parts/job-progress.ts'
import type { TraceSearch } from '../../parts/trace-search.ts'

/*
 * An evaluation of many traces as text.
 */

/** Stands for a number of traces that was too large to count. */
export function formatUncounted({ details: { max_traces } }: EvaluationJob): string {
  return `at most ${countOf(max_traces, 'trace')}`
}

/** `3 passed, 1 failed, 2 not applicable.` Empty before the first result. */
export function formatResults({ details }: EvaluationJob): string {
  const counts = [
    [details.results_passed, 'passed'],
    [details.results_failed, 'failed'],
    [details.results_not_applicable, 'not applicable'],
    [details.results_not_scored, 'not scored'],
  ] as const
  const parts = counts.flatMap(([count, name]) =>
    count > 0 ? `${formatCount(count)} ${name}` : [],
  )
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

/** How far it is, or how it ended. */
export function formatRunOutcome(job: EvaluationJob): string {
  switch (job.state) {
    case 'queued':
    case 'running':
      return formatTracesDone(job.progress, formatUncounted(job))
    case 'cancelled':
      return `After ${countOf(job.progress.done, 'trace')}`
    case 'failed':
      return `After ${countOf(job.progress.done, 'trace')}. ${job.problem ?? ''}`.trim()
    case 'completed':
      return formatEnd(job)
  }
}

function formatEnd({ progress: { done }, details }: EvaluationJob): string {
  const { ended_by, max_traces, max_cost_usd, traces_skipped } = details
  const skipped =
    traces_skipped === 0 ? '' : ` Skipped ${countOf(traces_skipped, 'deleted trace')}.`
  if (ended_by === 'max_cost_usd') {
    return `Ended at the cost limit of ${formatCost(max_cost_usd)}, after ${countOf(done, 'trace')}.${skipped}`
  }
  if (done === 0) return 'No traces matched.'
  if (ended_by === 'max_traces') {
    return `Ended at the limit of ${countOf(max_traces, 'trace')}.${skipped}`
  }
  return `All ${countOf(done, 'matching trace')}.${skipped}`
}

/** False where no evaluator applied, or none could decide. */
export function hasScores({ details }: EvaluationJob): boolean {
  return details.results_passed + details.results_failed > 0
}

/** The list of the evaluated traces. Others that match and were evaluated before or later are in it too. */
export function toEvaluatedSearch({ details: { filters } }: EvaluationJob): TraceSearch {
  return { ...toTraceSearch(filters), has_score: 'true' }
}

/** The list of the traces that failed. Several evaluators have none: the list filters by the score of one. */
export function toFailedSearch(
  { details: { filters, results_failed } }: EvaluationJob,
  evaluators: readonly { readonly name: string }[],
): TraceSearch | undefined {
  const [evaluator, ...others] = evaluators
  if (evaluator === undefined || others.length > 0 || results_failed === 0) return undefined
  const { has_score: _, min_score: __, max_score: ___, ...rest } = toTraceSearch(filters)
  return { ...rest, score: evaluator.name, passed: 'false' }
}
